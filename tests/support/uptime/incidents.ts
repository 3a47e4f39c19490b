import type { Incident, IncidentLink, IncidentUpdate } from '../../../src/core/store/incidents/incidents.ts';
import { at, dayMs, hardText, hourMs, minuteMs, nowMs } from './monitors.ts';

const basics = {
  severity: 'minor',
  state: 'resolved',
  projectId: 1,
  openedBy: 'Mara Feld',
  lead: 'Mara Feld',
  acknowledgedAtMs: null,
  identifiedAtMs: null,
  mendedAtMs: null,
  resolvedAtMs: null,
  plannedEndAtMs: null,
  cause: '',
  affects: [],
  links: [],
  updates: [],
  helpers: [],
  told: [],
  usersAffected: null,
  postMortem: null,
} as const satisfies Partial<Incident>;

function link(
  kind: IncidentLink['kind'],
  id: number,
  name: string,
  more: Partial<IncidentLink> = {},
): IncidentLink {
  return {
    kind,
    id,
    name,
    projectId: 2,
    why: '',
    beforeMs: null,
    linkedBy: null,
    isDismissed: false,
    ...more,
  };
}

function word(atMs: number, body: string, more: Partial<IncidentUpdate> = {}): IncidentUpdate {
  return { atMs, author: 'Mara Feld', isPublic: false, body, from: null, to: null, ...more };
}

function past(
  id: number,
  title: string,
  startedAtMs: number,
  minutes: number,
  more: Partial<Incident>,
): Incident {
  return {
    ...basics,
    id,
    title,
    startedAtMs,
    acknowledgedAtMs: startedAtMs + 4 * minuteMs,
    resolvedAtMs: startedAtMs + minutes * minuteMs,
    updates: [
      word(startedAtMs + minutes * minuteMs, `${title} is over.`, {
        isPublic: true,
        from: 'monitoring',
        to: 'resolved',
      }),
      word(startedAtMs + 5 * minuteMs, 'Somebody looks.'),
    ],
    ...more,
  };
}

const began = at(11, 21, 13, 58);
export const secret = 'Only the team may read this.';

const underWay: Incident = {
  ...basics,
  id: 16,
  title: 'Card payments are failing',
  severity: 'critical',
  state: 'investigating',
  projectId: 2,
  openedBy: 'Payments gateway',
  startedAtMs: began,
  acknowledgedAtMs: began + 3 * minuteMs,
  affects: [link('monitor', 1, 'Payments gateway'), link('component', 5, 'Card payments')],
  links: [
    link('issue', 1061, '#1061', {
      why: 'New today; every failing check is one of its events.',
      beforeMs: 143 * minuteMs,
      linkedBy: 'Mara Feld',
    }),
    link('release', 900, 'checkout-api 2.31.0', { why: 'It changes capture.ts.', beforeMs: 158 * minuteMs }),
    link('test_run', 8812, 'capture is tried again', { why: 'It failed.', beforeMs: 57 * minuteMs }),
    link('deploy', 4, 'shop-web 4.18.0', {
      why: 'No file in common.',
      beforeMs: 2 * hourMs,
      isDismissed: true,
    }),
  ],
  updates: [
    word(at(11, 21, 14, 26), 'Our payment provider confirms trouble. You can pay by bank transfer.', {
      isPublic: true,
    }),
    word(at(11, 21, 14, 19), secret, { author: 'Jun Park' }),
    word(at(11, 21, 14, 4), 'Card payments fail with an error. No card is charged twice.', {
      isPublic: true,
    }),
    word(began, '502 twice in a row.', { author: 'Payments gateway', to: 'investigating' }),
  ],
  told: ['#ops', 'Order desk'],
  usersAffected: 518,
};

const postMortem: Incident['postMortem'] = {
  author: 'Ines Okafor',
  writtenAtMs: at(11, 12, 9),
  isPublic: true,
  parts: [
    { heading: '', paragraphs: ['A new version of the shop could not price some postcodes.'] },
    {
      heading: 'What happened',
      paragraphs: ['4.17.1 went out with six failed tests.', 'The keyword monitor saw no total.'],
    },
  ],
  actions: [
    { what: 'Failed tests keep the gate shut', who: 'Tomas Lindqvist', state: 'done 13 Nov' },
    { what: 'Contract test for the quote', who: 'Jun Park', state: 'due 28 Nov' },
  ],
};

export const incidents: readonly Incident[] = [
  {
    ...basics,
    id: 18,
    title: 'Database update',
    severity: 'planned',
    state: 'planned',
    startedAtMs: at(11, 24, 9, 30),
    plannedEndAtMs: at(11, 24, 9, 40),
    affects: [link('component', 3, 'Basket and checkout'), link('monitor', 1, 'Payments gateway')],
    updates: [word(at(11, 20), 'Orders wait for up to a minute.', { isPublic: true })],
  },
  {
    ...basics,
    id: 17,
    title: 'Image servers move to new disks',
    severity: 'planned',
    state: 'planned',
    projectId: null,
    startedAtMs: at(11, 21, 14),
    plannedEndAtMs: at(11, 21, 15, 30),
    affects: [link('monitor', 3, 'Image servers')],
    updates: [word(at(11, 20), 'Pictures may load slowly.', { isPublic: true })],
  },
  underWay,
  {
    ...basics,
    id: 15,
    title: 'Product search is slow',
    state: 'monitoring',
    startedAtMs: at(11, 21, 9, 41),
    acknowledgedAtMs: at(11, 21, 9, 50),
    identifiedAtMs: at(11, 21, 10, 5),
    mendedAtMs: at(11, 21, 13),
    cause: 'an index is being rebuilt',
    affects: [link('monitor', 2, 'Product search')],
    updates: [
      word(at(11, 21, 13), 'Results are complete but slow.', {
        isPublic: true,
        from: 'identified',
        to: 'monitoring',
      }),
    ],
  },
  past(14, 'Card payments slow', at(11, 15, 11, 40), 24, {
    projectId: 2,
    cause: 'provider',
    affects: [link('monitor', 1, 'Payments gateway')],
  }),
  past(12, 'Refunds delayed', at(11, 11, 9, 2), 12, { cause: 'Redis failover', projectId: 2 }),
  past(11, 'Basket broken', at(11, 10, 20, 14), 51, {
    severity: 'critical',
    openedBy: 'Front page',
    lead: 'Ines Okafor',
    cause: 'shop-web 4.17.1',
    acknowledgedAtMs: at(11, 10, 20, 20),
    identifiedAtMs: at(11, 10, 20, 38),
    mendedAtMs: at(11, 10, 20, 57),
    affects: [link('monitor', 6, 'Front page')],
    links: [
      link('release', 880, 'shop-web 4.17.1', { beforeMs: 22 * minuteMs, linkedBy: 'Ines Okafor' }),
      link('issue', 1043, '#1043', { linkedBy: 'Ines Okafor' }),
      link('deploy', 41, 'checkout-api 2.30.3', { beforeMs: 3 * hourMs, isDismissed: true }),
    ],
    helpers: ['Tomas Lindqvist', 'Jun Park'],
    told: ['#ops'],
    usersAffected: 1_140,
    postMortem,
  }),
  past(9, 'Nightly stock import missed', at(10, 23, 2, 30), 365, {
    acknowledgedAtMs: at(10, 23, 2, 30),
    affects: [link('monitor', 8, 'Nightly stock import')],
  }),
  past(4, 'Bank refuses captures', at(9, 22, 12, 31), 51, {
    severity: 'critical',
    projectId: 2,
    cause: 'the bank’s firewall',
    affects: [link('monitor', 1, 'Payments gateway')],
  }),
  past(3, hardText, at(9, 5, 10), 60, {
    openedBy: hardText,
    lead: hardText,
    cause: hardText,
    affects: [link('monitor', 10, hardText), link('component', 7, hardText)],
    links: [link('issue', 7, hardText, { why: hardText, linkedBy: hardText })],
    helpers: [hardText],
    told: [hardText],
    updates: [word(at(9, 5, 10, 30), hardText, { isPublic: true, author: hardText, to: 'resolved' })],
    postMortem: {
      author: hardText,
      writtenAtMs: at(9, 6),
      isPublic: true,
      parts: [{ heading: hardText, paragraphs: [hardText] }],
      actions: [{ what: hardText, who: hardText, state: hardText }],
    },
  }),
  past(1, 'Long ago', nowMs - 150 * dayMs, 10, {}),
];
