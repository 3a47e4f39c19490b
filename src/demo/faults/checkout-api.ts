import type { FaultTexts } from './template.ts';

export const checkoutApi: FaultTexts = {
  'capture-502': {
    type: 'PaymentCaptureError',
    value: 'gateway answered 502 after 3 attempts',
    level: 'fatal',
    frames: [
      {
        at: 'handlePay (src/http/payments.ts:54)',
        code: "router.post('/payments/:id/capture', async (request, response) => {\n>  const capture = await capturePayment(request.params.id);\n  response.json(capture);\n});",
        vars: { id: 'pay_20417' },
      },
      {
        at: 'capturePayment (src/payments/capture.ts:38)',
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
          at: 'request (src/gateway/client.ts:91)',
          code: 'const answer = await fetch(url, { ...init, signal });\n>if (!answer.ok) throw new HttpError(init.method, url, answer);',
          vars: { url: 'https://pay.gateway.example/v2/captures', status: 502 },
        },
      ],
    },
  },
  'zod-basket': {
    type: 'ZodError',
    value: '2 issues in request body: items[0].sku, items[0].qty',
    frames: [
      {
        at: 'parseBasket (src/http/baskets.ts:27)',
        code: 'export function parseBasket(body: unknown): Basket {\n>  return basketSchema.parse(body);\n}',
        vars: { body: { items: [{ sku: '', qty: 0 }], zone: 'IE-D' } },
      },
    ],
  },
  'redis-refused': {
    type: 'Error',
    value: 'connect ECONNREFUSED 192.0.2.40:6379',
    frames: [
      {
        at: 'RedisSocket.connect (src/cache/client.ts:73)',
        code: "const socket = connect({ host, port });\n>await once(socket, 'ready');",
        vars: { host: '192.0.2.40', port: 6379, tries: 5 },
      },
    ],
  },
  'quote-timeout': {
    type: 'TimeoutError',
    value: 'shipping quote took longer than 2000 ms',
    level: 'warning',
    frames: [
      {
        at: 'quoteShipping (src/shipping/quote.ts:48)',
        code: "const answer = await Promise.race([carrier.quote(parcel), timeout(2_000)]);\n>if (answer === late) throw new TimeoutError('shipping quote took longer than 2000 ms');",
        vars: { carrier: 'north-sea-parcel', zone: 'IE-D', parcels: 2 },
      },
    ],
  },
  'quote-timeout-express': {
    type: 'TimeoutError',
    value: 'express quote took longer than 800 ms',
    level: 'warning',
    frames: [
      {
        at: 'quoteExpress (src/shipping/express.ts:31)',
        code: "const answer = await Promise.race([express.quote(parcel), timeout(800)]);\n>if (answer === late) throw new TimeoutError('express quote took longer than 800 ms');",
        vars: { carrier: 'night-boat', zone: 'GB-N' },
      },
    ],
  },
  deadlock: {
    type: 'DatabaseError',
    value: 'deadlock detected while updating stock_level',
    frames: [
      {
        at: 'reserveStock (src/stock/reserve.ts:61)',
        code: "await client.query('BEGIN');\n>await client.query('UPDATE stock_level SET reserved = reserved + $2 WHERE sku = $1', [sku, count]);",
        vars: { sku: 'OAK-BENCH-180', count: 2 },
      },
    ],
  },
  'jwt-expired': {
    type: 'TokenExpiredError',
    value: 'jwt expired',
    level: 'info',
    frames: [
      {
        at: 'authenticate (src/http/session.ts:33)',
        code: 'const token = bearerOf(request);\n>const claims = await verify(token, keys);',
        vars: { token: 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ1XzQyIn0.c2lnbmF0dXJl' },
      },
    ],
  },
  'webhook-signature': {
    type: 'SignatureError',
    value: 'webhook signature does not match',
    level: 'warning',
    frames: [
      {
        at: 'verifyWebhook (src/payments/webhook.ts:24)',
        code: '>if (!timingSafeEqual(sent, expected)) throw new SignatureError();',
      },
    ],
    hasUsers: false,
  },
  'tax-rate': {
    type: 'NotFoundError',
    value: 'no tax rate for region "IM"',
    frames: [
      {
        at: 'taxRateOf (src/tax/rates.ts:41)',
        code: "const rate = rates.get(region);\n>if (rate === undefined) throw new NotFoundError('tax rate', region);",
        vars: { region: 'IM' },
      },
    ],
  },
  'socket-hang-up': {
    type: 'Error',
    value: 'socket hang up',
    frames: [
      {
        at: 'Gateway.send (src/gateway/client.ts:55)',
        code: '>const response = await this.agent.request(options);',
      },
    ],
  },
};
