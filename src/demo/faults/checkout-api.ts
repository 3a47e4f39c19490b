import type { IssueTemplate } from './template.ts';

export const checkoutApi: readonly IssueTemplate[] = [
  {
    key: 'capture-502',
    slug: 'checkout-api',
    type: 'PaymentCaptureError',
    value: 'gateway answered 502 after 3 attempts',
    level: 'fatal',
    frames: [
      {
        fn: 'handlePay',
        file: 'src/http/payments.ts',
        line: 54,
        code: "router.post('/payments/:id/capture', async (request, response) => {\n>  const capture = await capturePayment(request.params.id);\n  response.json(capture);\n});",
        vars: { id: 'pay_20417' },
      },
      {
        fn: 'capturePayment',
        file: 'src/payments/capture.ts',
        line: 38,
        code: '  if (attempt < attemptsMax) continue;\n>  throw new PaymentCaptureError(explain(answer, attempt));\n}',
        vars: {
          attempt: 3,
          amount: 48900,
          currency: 'EUR',
          gateway: 'https://pay.gateway.example/v2',
          card: '4111 1111 1111 1111',
        },
      },
    ],
    cause: {
      type: 'HttpError',
      value: 'POST https://pay.gateway.example/v2/captures 502 Bad Gateway',
      frames: [
        {
          fn: 'request',
          file: 'src/gateway/client.ts',
          line: 91,
          code: 'const answer = await fetch(url, { ...init, signal });\n>if (!answer.ok) throw new HttpError(init.method, url, answer);',
          vars: { url: 'https://pay.gateway.example/v2/captures', status: 502 },
        },
      ],
    },
  },
  {
    key: 'zod-basket',
    slug: 'checkout-api',
    type: 'ZodError',
    value: '2 issues in request body: items[0].sku, items[0].qty',
    frames: [
      {
        fn: 'parseBasket',
        file: 'src/http/baskets.ts',
        line: 27,
        code: 'export function parseBasket(body: unknown): Basket {\n>  return basketSchema.parse(body);\n}',
        vars: { body: { items: [{ sku: '', qty: 0 }], zone: 'IE-D' } },
      },
    ],
  },
  {
    key: 'redis-refused',
    slug: 'checkout-api',
    type: 'Error',
    value: 'connect ECONNREFUSED 192.0.2.40:6379',
    frames: [
      {
        fn: 'RedisSocket.connect',
        file: 'src/cache/client.ts',
        line: 73,
        code: "const socket = connect({ host, port });\n>await once(socket, 'ready');",
        vars: { host: '192.0.2.40', port: 6379, tries: 5 },
      },
    ],
  },
  {
    key: 'quote-timeout',
    slug: 'checkout-api',
    type: 'TimeoutError',
    value: 'shipping quote took longer than 2000 ms',
    level: 'warning',
    frames: [
      {
        fn: 'quoteShipping',
        file: 'src/shipping/quote.ts',
        line: 48,
        code: "const answer = await Promise.race([carrier.quote(parcel), timeout(2_000)]);\n>if (answer === late) throw new TimeoutError('shipping quote took longer than 2000 ms');",
        vars: { carrier: 'north-sea-parcel', zone: 'IE-D', parcels: 2 },
      },
    ],
  },
  {
    key: 'quote-timeout-express',
    slug: 'checkout-api',
    type: 'TimeoutError',
    value: 'express quote took longer than 800 ms',
    level: 'warning',
    frames: [
      {
        fn: 'quoteExpress',
        file: 'src/shipping/express.ts',
        line: 31,
        code: "const answer = await Promise.race([express.quote(parcel), timeout(800)]);\n>if (answer === late) throw new TimeoutError('express quote took longer than 800 ms');",
        vars: { carrier: 'night-boat', zone: 'GB-N' },
      },
    ],
  },
  {
    key: 'deadlock',
    slug: 'checkout-api',
    type: 'DatabaseError',
    value: 'deadlock detected while updating stock_level',
    frames: [
      {
        fn: 'reserveStock',
        file: 'src/stock/reserve.ts',
        line: 61,
        code: "await client.query('BEGIN');\n>await client.query('UPDATE stock_level SET reserved = reserved + $2 WHERE sku = $1', [sku, count]);",
        vars: { sku: 'OAK-BENCH-180', count: 2 },
      },
    ],
  },
  {
    key: 'jwt-expired',
    slug: 'checkout-api',
    type: 'TokenExpiredError',
    value: 'jwt expired',
    level: 'info',
    frames: [
      {
        fn: 'authenticate',
        file: 'src/http/session.ts',
        line: 33,
        code: 'const token = bearerOf(request);\n>const claims = await verify(token, keys);',
        vars: { token: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1XzQyIn0.c2lnbmF0dXJl' },
      },
    ],
  },
  {
    key: 'webhook-signature',
    slug: 'checkout-api',
    type: 'SignatureError',
    value: 'webhook signature does not match',
    level: 'warning',
    frames: [
      {
        fn: 'verifyWebhook',
        file: 'src/payments/webhook.ts',
        line: 24,
        code: '>if (!timingSafeEqual(sent, expected)) throw new SignatureError();',
      },
    ],
    hasUsers: false,
  },
  {
    key: 'tax-rate',
    slug: 'checkout-api',
    type: 'NotFoundError',
    value: 'no tax rate for region "IM"',
    frames: [
      {
        fn: 'taxRateOf',
        file: 'src/tax/rates.ts',
        line: 41,
        code: "const rate = rates.get(region);\n>if (rate === undefined) throw new NotFoundError('tax rate', region);",
        vars: { region: 'IM' },
      },
    ],
  },
  {
    key: 'socket-hang-up',
    slug: 'checkout-api',
    type: 'Error',
    value: 'socket hang up',
    frames: [
      {
        fn: 'Gateway.send',
        file: 'src/gateway/client.ts',
        line: 55,
        code: '>const response = await this.agent.request(options);',
      },
    ],
  },
];
