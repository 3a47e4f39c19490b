// What went wrong, and is done with, in the checkout of Harbour & Pine, on its servers.
// Texts alone; how they become events is in ../errors.ts.
import type { DemoIssue } from './issue.ts';

export const checkoutApiPastIssues: readonly DemoIssue[] = [
  {
    key: 'bigint-json',
    slug: 'checkout-api',
    type: 'TypeError',
    value: 'Do not know how to serialize a BigInt',
    events: 5,
    first: 70,
    last: 1100,
    fate: { is: 'resolved', resolved: 44, in: '2.26.1', by: 'Jun Park' },
    frames: [
      {
        fn: 'sendOrder',
        file: 'src/http/orders.ts',
        line: 63,
        code: '>response.json({ ...order, cents: BigInt(order.total) });',
      },
    ],
  },
  {
    key: 'csv-encoding',
    slug: 'checkout-api',
    type: 'ERR_ENCODING_INVALID_ENCODED_DATA',
    value: 'The encoded data was not valid for encoding utf-8',
    events: 3,
    first: 150,
    last: 2500,
    fate: { is: 'resolved', resolved: 100, in: 'now', by: 'Mara Feld' },
    frames: [
      {
        fn: 'readCsv',
        file: 'src/import/csv.ts',
        line: 20,
        code: ">const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);",
      },
    ],
    hasUsers: false,
  },
  {
    key: 'port-in-use',
    slug: 'checkout-api',
    type: 'Error',
    value: 'listen EADDRINUSE: address already in use :::8080',
    level: 'fatal',
    events: 2,
    first: 240,
    last: 5600,
    fate: { is: 'resolved', resolved: 230, in: 'now', by: 'Jun Park' },
    frames: [{ fn: 'start', file: 'src/server.ts', line: 31, code: '>server.listen(port);' }],
    hasUsers: false,
  },
  {
    key: 'migration-lock',
    slug: 'checkout-api',
    type: 'MigrationError',
    value: 'another migration has held the lock for 60 s',
    events: 2,
    first: 72,
    last: 1700,
    fate: { is: 'resolved', resolved: 69, in: 'next_release', by: 'Tomas Lindqvist' },
    frames: [
      {
        fn: 'lock',
        file: 'src/db/migrate.ts',
        line: 44,
        code: ">throw new MigrationError('another migration has held the lock for 60 s');",
      },
    ],
    hasUsers: false,
  },
  {
    key: 'rate-of-null',
    slug: 'checkout-api',
    type: 'TypeError',
    value: "Cannot destructure property 'rate' of '(intermediate value)' as it is null.",
    events: 4,
    first: 31,
    last: 129,
    fate: { is: 'resolved', resolved: 5.2, in: '2.30.4', by: 'Ines Okafor' },
    frames: [
      {
        fn: 'totalsOf',
        file: 'src/shipping/totals.ts',
        line: 13,
        code: '>const { rate, zone } = await findRate(parcel);',
      },
    ],
  },
];
