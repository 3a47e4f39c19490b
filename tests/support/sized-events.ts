// Events as a browser sends them: of 2 KB, and of any larger size with what makes them large in life.

// Seconds of Unix time. An event of long ago or of times to come is taken with an error noted beside it, and
// that would be measured too: events of a bench are of the hour before the program began.
const begun = Math.floor(Date.now() / 1000);

const frame = (index: number): object => ({
  filename: `https://shop.example/static/js/app-${index}.js`,
  function: `renderRow${index}`,
  lineno: 120 + index,
  colno: 17,
  in_app: index % 3 !== 0,
});

/**
 * About 2 KB of JSON; `serial` makes one of fifty messages, so that issues are found again as in real life.
 */
export function benchEvent(serial: number): string {
  return JSON.stringify({
    message: `Cannot load item ${serial % 50}`,
    platform: 'javascript',
    level: 'error',
    timestamp: begun - 3_600 + (serial % 3_600) + 0.123,
    release: 'shop@2.4.1',
    environment: 'production',
    tags: { browser: 'Chrome 141', section: 'checkout' },
    user: { id: String(serial % 400) },
    request: {
      url: 'https://shop.example/checkout?step=2',
      headers: { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64)' },
    },
    breadcrumbs: Array.from({ length: 12 }, (_, index) => ({
      timestamp: begun - 3_700 + index,
      category: 'ui.click',
      message: `button.item-${index}`,
    })),
    exception: {
      values: [
        { type: `Error${serial % 50}`, value: 'boom', stacktrace: { frames: [0, 1, 2, 3, 4, 5].map(frame) } },
      ],
    },
  });
}

/**
 * An event of about so many kilobytes of JSON (units of 1,000 bytes, at least 2): stacks with their source
 * lines and local values, breadcrumbs that say something, causes of causes. `serial` as with `benchEvent`.
 */
export function eventOfSize(kilobytes: number, serial: number): string {
  const small = benchEvent(serial);
  if (kilobytes <= 2) return small;
  const event = JSON.parse(small);
  const bytesWanted = kilobytes * 1000;
  const causes = [...event.exception.values];
  event.breadcrumbs = [];
  event.exception.values = causes;
  let bytes = Buffer.byteLength(JSON.stringify(event));
  for (let nth = 0; bytes < bytesWanted; nth += 1) {
    const isCrumb = nth % 3 > 0 && event.breadcrumbs.length < breadcrumbsMax;
    const part = isCrumb ? breadcrumb(serial, nth) : sourceFrame(serial, nth);
    bytes += Buffer.byteLength(JSON.stringify(part)) + 1;
    if (isCrumb) {
      event.breadcrumbs.push(part);
      continue;
    }
    if (causes[0].stacktrace.frames.length >= framesMax) {
      const cause = {
        type: `Cause${causes.length}`,
        value: said(serial + nth, 9),
        stacktrace: { frames: [] },
      };
      causes.unshift(cause);
    }
    causes[0].stacktrace.frames.push(part);
  }
  return JSON.stringify(event);
}

const breadcrumbsMax = 100;
const framesMax = 50;
const words = (
  'basket price order address menu image token stock route label render load save parse charge quote sync ' +
  'decode find merge state value index customer delivery invoice coupon session window handler request'
).split(' ');

/** Hexadecimal digits as ids have them, which nothing makes smaller than half; the same for the same seed. */
function idOf(seed: number): string {
  let state = (seed * 2_654_435_761) >>> 0;
  const next = (): string => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 374_761_393) >>> 0;
    return state.toString(16).padStart(8, '0');
  };
  return next() + next() + next();
}

/** Words in an order that hardly repeats. */
function said(seed: number, count: number): string {
  const word = (nth: number): string => words[(seed * 7 + nth * nth * 3 + nth) % words.length] ?? '';
  return Array.from({ length: count }, (_, nth) => word(nth)).join(' ');
}

function breadcrumb(serial: number, nth: number): object {
  return nth % 2 === 0
    ? {
        timestamp: begun - 3_700 + nth,
        category: 'fetch',
        type: 'http',
        data: {
          method: 'GET',
          url: `/api/${words[nth % words.length]}/${idOf(serial + nth)}?page=${nth}`,
          status_code: 200,
        },
      }
    : { timestamp: begun - 3_700 + nth, category: 'console', level: 'info', message: said(nth, 8) };
}

function sourceFrame(serial: number, nth: number): object {
  const line = (at: number): string =>
    `    const ${words[(nth + at) % words.length]} = read('${said(nth + at, 3)}');`;
  const name = words[nth % words.length] ?? '';
  return {
    filename: `https://shop.example/static/js/${name}/part-${nth}.js`,
    function: `${words[(nth * 5) % words.length]}.${name}`,
    lineno: 40 + nth,
    colno: 11,
    in_app: nth % 3 !== 0,
    pre_context: [line(1), line(2), line(3)],
    context_line: `    return ${name}(state.value, ${nth});`,
    post_context: [line(4), '  }', ''],
    vars: { id: idOf(serial * 64 + nth), nth, state: { value: said(nth + serial, 4), ready: true } },
  };
}
