// The plots for the page of all parts, on numbers that are the same each time.
import { type Content, el } from '../../../src/pages/el.ts';
import type { Frame } from '../../../src/pages/frame.ts';
import { heat } from '../../../src/pages/plots/heat.ts';
import { histogram, levelStacks } from '../../../src/pages/plots/histogram.ts';
import { lanes } from '../../../src/pages/plots/lanes.ts';
import { meter, shares } from '../../../src/pages/plots/meter.ts';
import { series } from '../../../src/pages/plots/series.ts';
import { spark } from '../../../src/pages/plots/spark.ts';
import { type DayState, strip } from '../../../src/pages/plots/strip.ts';

const hourMs = 3_600_000;

/** All of them. */
export function plots(frame: Frame, nowMs: number): Content[] {
  return [
    levels(frame, nowMs),
    el('div', { class: 'cols even' }, lines(nowMs), days(), weeks(), deploys(nowMs)),
  ];
}

function levels(frame: Frame, nowMs: number): Content {
  const startMs = Math.floor(nowMs / (2 * hourMs)) * 2 * hourMs - 83 * 2 * hourMs;
  const bars = Array.from({ length: 84 }, (_, index) => {
    const wave = Math.round(90 + 80 * Math.sin(index / 1.9));
    const counts = {
      error: wave,
      warning: wave >> 2,
      info: wave >> 3,
      fatal: index > 79 ? 60 : index % 9 === 0 ? 1 : 0,
    };
    return { fromMs: startMs + index * 2 * hourMs, toMs: startMs + (index + 1) * 2 * hourMs, counts };
  });
  return histogram(frame, {
    bars,
    stacks: levelStacks,
    nowMs,
    noun: ['event', 'events'],
    finding: [el('b', null, '11,119 events'), ' in 7 days, 12% more than the 7 before'],
    isCalm: true,
    markers: [
      { atMs: startMs + 55 * hourMs, name: 'checkout-api 2.30.4' },
      { atMs: nowMs - 5 * hourMs, name: 'shop-web 4.18.0' },
    ],
    barLink: ({ fromMs }) => ({ path: '/issues', query: { from: new Date(fromMs).toISOString() } }),
    stackLink: ({ key }) => ({ path: '/issues', query: { level: key } }),
  });
}

function lines(nowMs: number): Content {
  const points = Array.from({ length: 60 }, (_, index) => {
    const value = index > 20 && index < 25 ? null : 90 + 8 * Math.sin(index / 6);
    return { atMs: nowMs - (60 - index) * 12 * hourMs, value, second: 60 + index / 2 };
  });
  return series({
    points,
    lines: ['4.18.0', '4.17.2'],
    top: 100,
    word: (value) => `${Math.round(value)}%`,
    finding: el('b', null, 'Share of users'),
    name: 'Share of users by release: 4.18.0 stays near 90%, with two days unknown; 4.17.2 rose to 90%.',
    bands: [{ fromMs: nowMs - 300 * hourMs, toMs: nowMs - 250 * hourMs, kind: 'down', word: 'down' }],
  });
}

function days(): Content {
  const states: DayState[] = Array.from({ length: 90 }, (_, index) =>
    index < 12
      ? 'none'
      : index === 40
        ? 'down'
        : index === 41
          ? 'degraded'
          : index === 60
            ? 'maintenance'
            : 'up',
  );
  return el(
    'figure',
    null,
    el('figcaption', null, 'Looks at a domain'),
    strip(
      states.map((state, index) => ({ state, said: `Day ${index + 1}: ${state}` })),
      'Proof looked at for 78 days: missing once.',
    ),
    el('p', { class: 'hint' }, 'Quota'),
    meter({ part: 88, all: 100, name: '88% of 100,000 events this month', isLimit: true }),
    el('p', { class: 'hint' }, 'Browsers'),
    shares([58, 24, 12, 6], 'Chrome 58%, Safari 24%, Firefox 12%'),
    spark({ values: [0, 0, 4, 9, 2, 0, 7, 5], name: 'Most, 9, four hours ago', stepPx: 6, heightPx: 36 }),
  );
}

function weeks(): Content {
  const hours = Array.from({ length: 7 }, (_, day) =>
    Array.from({ length: 24 }, (_each, hour) =>
      day < 5 && hour > 7 && hour < 18 ? (hour * (day + 3)) % 11 : 0,
    ),
  );
  return heat({
    hours,
    finding: el('b', null, 'When people act'),
    name: 'Acts by weekday and hour: weekdays from 08:00 to 17:00.',
    many: 'acts',
  });
}

function deploys(nowMs: number): Content {
  const at = (hours: number, shape: 'passed' | 'failed' | 'back') => ({
    atMs: nowMs - hours * hourMs,
    shape,
    said: `${shape}, ${hours} h ago`,
  });
  return lanes({
    lanes: [
      { name: 'shop-web', marks: [at(90, 'failed'), at(88, 'back'), at(10, 'passed')] },
      { name: `worker-${'queue'.repeat(12)}`, marks: [at(50, 'passed')] },
    ],
    fromMs: nowMs - 120 * hourMs,
    toMs: nowMs,
    finding: el('b', null, '4 deploys'),
    name: 'Deploys in five days: four, of which one failed and was rolled back.',
  });
}
