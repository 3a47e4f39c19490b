// A 2 KB event as a browser sends it, and the request that carries it.
import { benchKey } from './servers.ts';

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
    timestamp: 1_763_690_000.123 + serial,
    release: 'shop@2.4.1',
    environment: 'production',
    tags: { browser: 'Chrome 141', section: 'checkout' },
    user: { id: String(serial % 400) },
    request: {
      url: 'https://shop.example/checkout?step=2',
      headers: { 'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64)' },
    },
    breadcrumbs: Array.from({ length: 12 }, (_, index) => ({
      timestamp: 1_763_690_000 + index,
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

/** The whole HTTP request for an event. */
export function storeRequestBytes(serial: number): Buffer {
  const body = Buffer.from(benchEvent(serial));
  const head = [
    'POST /wp-json/notifier/v1/store HTTP/1.1',
    'Host: 127.0.0.1',
    `X-Notifier-Key: ${benchKey}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body]);
}
