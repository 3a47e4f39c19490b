// What went wrong in the checkout, and is done with. Texts alone.
import type { IssueTemplate } from './template.ts';

export const checkoutApiPast: readonly IssueTemplate[] = [
  {
    key: 'bigint-json',
    slug: 'checkout-api',
    type: 'TypeError',
    value: 'Do not know how to serialize a BigInt',
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
    frames: [{ fn: 'start', file: 'src/server.ts', line: 31, code: '>server.listen(port);' }],
    hasUsers: false,
  },
  {
    key: 'migration-lock',
    slug: 'checkout-api',
    type: 'MigrationError',
    value: 'another migration has held the lock for 60 s',
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
