// Exceptions of OpenTelemetry's own exporters, and exports that no exporter would send.
import { describe, expect, it } from '@jest/globals';
import { OTLPLogExporter as JsonLogs } from '@opentelemetry/exporter-logs-otlp-http';
import { OTLPLogExporter as ProtobufLogs } from '@opentelemetry/exporter-logs-otlp-proto';
import { OTLPTraceExporter as JsonTraces } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufTraces } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { LoggerProvider, SimpleLogRecordProcessor } from '@opentelemetry/sdk-logs';
import { SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { openTestApp } from '../support/app.ts';
import { sharedApp } from '../support/shared.ts';
import { inFull } from '../support/test-level.ts';

const app = sharedApp();

const resource = resourceFromAttributes({
  'service.name': 'shop',
  'service.version': 'shop@1.2.3',
  'deployment.environment.name': 'staging',
  'host.name': 'web-1',
  'telemetry.sdk.language': 'nodejs',
  'telemetry.sdk.name': 'opentelemetry',
  'telemetry.sdk.version': '3.1.1',
});
const headers = () => ({ 'X-Notifier-Key': app.publicKey });
const urlOf = (signal: string): string => `${app.origin}/wp-json/notifier/v1/otlp/v1/${signal}`;

const newestEvents = async (count: number) => {
  const { body: issues } = await app.get(`/issues?per_page=${count}`);
  const events = (issues as Array<{ issue_id: number }>).map(async ({ issue_id: id }) => {
    const { body } = await app.get(`/issues/${id}/events`);
    return (await app.get(`/events/${body[0].event_id}`)).body;
  });
  return Promise.all(events);
};

const varint = (value: number): number[] =>
  value < 128 ? [value] : [128 + (value % 128), ...varint(Math.floor(value / 128))];

const lost = async (category: string): Promise<number> => {
  const { body } = await app.get('/outcomes');
  type Hour = { outcomes: Array<{ outcome: string; category: string; quantity: number }> };
  return (body as Hour[])
    .flatMap(({ outcomes }) => outcomes)
    .filter((each) => each.category === category && each.outcome !== 'accepted')
    .reduce((sum, { quantity }) => sum + quantity, 0);
};

describe.each([
  ['JSON', JsonTraces],
  ['protobuf', ProtobufTraces],
])('spans in %s', (form, Exporter) => {
  inFull(it)('create an event for the exception in the innermost of its spans', async () => {
    const failures: unknown[] = [];
    const exporter = new Exporter({ url: urlOf('traces'), headers: headers() });
    const spans: Parameters<typeof exporter.export>[0] = [];
    const provider = new TracerProvider({
      resource,
      spanProcessors: [
        new SimpleSpanProcessor({
          exporter: {
            export(ended, done) {
              spans.push(...ended);
              done({ code: 0 });
            },
            shutdown: async () => {},
          },
        }),
      ],
    });
    const tracer = provider.getTracer('checkout', '2.0');
    const { trace, ROOT_CONTEXT } = await import('@opentelemetry/api');
    const error = new RangeError(`no money in ${form}`);
    const outer = tracer.startSpan('POST /pay', {
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/pay',
        'url.full': 'https://shop.example/pay',
      },
    });
    const inner = tracer.startSpan(
      'charge',
      { attributes: { 'user.id': '42' } },
      trace.setSpan(ROOT_CONTEXT, outer),
    );
    tracer.startSpan('SELECT').end();
    for (const span of [inner, outer]) {
      span.recordException(error);
      span.end();
    }
    await provider.forceFlush();
    const before = await lost('span');
    const result = await new Promise<{ code: number; error?: Error }>((resolve) =>
      exporter.export(spans, resolve),
    );
    failures.push(result.error);
    expect(result).toEqual({ code: 0 });
    const [event] = await newestEvents(1);
    expect(event).toMatchObject({
      platform: 'node',
      level: 'error',
      release: 'shop@1.2.3',
      environment: 'staging',
      server_name: 'web-1',
      logger: 'checkout',
      transaction: 'POST /pay',
      exception: { values: [{ type: 'RangeError', value: `no money in ${form}` }] },
      contexts: { trace: { trace_id: inner.spanContext().traceId, span_id: inner.spanContext().spanId } },
      tags: expect.arrayContaining([['service.name', 'shop']]),
      request: { url: 'https://shop.example/pay', method: 'POST' },
      sdk: { name: 'opentelemetry.nodejs', version: '3.1.1' },
    });
    expect(event.exception.values[0].stacktrace.frames.at(-1)).toMatchObject({
      filename: expect.stringContaining('otlp.test.ts'),
      lineno: expect.any(Number),
    });
    expect((await lost('span')) - before).toBe(1);
    const countOf = async () => (await app.get(`/issues/${event.issue_id}`)).body.events;
    expect(await countOf()).toBe(1);
    // Sent again, as after an answer that got lost.
    await new Promise((resolve) => exporter.export(spans, resolve));
    expect(await countOf()).toBe(1);
    await exporter.shutdown();
  });
});

describe.each([
  ['JSON', JsonLogs],
  ['protobuf', ProtobufLogs],
])('log records in %s', (form, Exporter) => {
  it('create an event for each exception; others are counted', async () => {
    const provider = new LoggerProvider({
      resource,
      processors: [
        new SimpleLogRecordProcessor({ exporter: new Exporter({ url: urlOf('logs'), headers: headers() }) }),
      ],
    });
    const before = await lost('log_item');
    const logger = provider.getLogger('worker');
    logger.emit({ severityNumber: 9, body: 'started' });
    logger.emit({
      severityNumber: 21,
      body: 'The queue stopped.',
      attributes: {
        'exception.type': 'java.lang.IllegalStateException',
        'exception.message': `closed ${form}`,
        'exception.stacktrace':
          'java.lang.IllegalStateException: closed\n\tat com.shop.Queue.take(Queue.java:31)',
        'queue.name': 'mails',
        sizes: [1, 2],
      },
    });
    await provider.forceFlush();
    await provider.shutdown();
    const [event] = await newestEvents(1);
    expect(event).toMatchObject({
      level: 'fatal',
      logentry: { message: 'The queue stopped.' },
      logger: 'worker',
      exception: { values: [{ type: 'java.lang.IllegalStateException', value: `closed ${form}` }] },
      extra: { 'queue.name': 'mails', sizes: [1, 2] },
    });
    expect((await lost('log_item')) - before).toBe(1);
  });
});

describe('an export', () => {
  const send = (body: unknown, { path = '/otlp/v1/logs', type = 'application/json' } = {}) =>
    app.agent
      .post(`/wp-json/notifier/v1${path}`)
      .set({ ...headers(), 'Content-Type': type })
      .send(Buffer.isBuffer(body) ? body : JSON.stringify(body));
  const attributes = (values: Record<string, string>) =>
    Object.entries(values).map(([key, stringValue]) => ({ key, value: { stringValue } }));
  const logsOf = (records: object[]) => ({ resourceLogs: [{ scopeLogs: [{ logRecords: records }] }] });
  const record = (message: string) => ({
    timeUnixNano: '1700000000000000000',
    attributes: attributes({ 'exception.type': 'E', 'exception.message': message }),
  });

  it('without content is accepted', async () => {
    expect((await send({})).text).toBe('{}');
    const { status, headers: answered } = await send(Buffer.alloc(0), { type: 'application/x-protobuf' });
    expect([status, answered['content-type'], answered['content-length']]).toEqual([
      200,
      'application/x-protobuf',
      '0',
    ]);
  });

  it.each([
    [[], 'application/json'],
    [{ resourceLogs: {} }, 'application/json'],
    [Buffer.from([0x0a, 0x05, 0x01]), 'application/x-protobuf'],
    [Buffer.from([0xff, 0xff]), 'application/x-protobuf'],
    [Buffer.from('{"resourceLogs":[]}'), 'application/x-protobuf'],
  ])('that is invalid is 400: %j', async (body, type) => {
    const { status, body: answer } = await send(body, { type });
    expect([status, answer.code]).toEqual([400, 'notifier_invalid_otlp']);
  });

  it('with endlessly nested values is refused', async () => {
    let nested = Buffer.from([0x0a, 0x00]);
    for (let depth = 0; depth < 60; depth += 1) {
      const list = Buffer.concat([Buffer.from([0x0a, nested.length]), nested]);
      nested = Buffer.concat([Buffer.from([0x2a, list.length]), list]);
      if (nested.length > 110) break;
    }
    const wrap = (field: number, inner: Buffer) => Buffer.concat([Buffer.from([field, inner.length]), inner]);
    const bytes = wrap(0x0a, wrap(0x12, wrap(0x12, wrap(0x2a, nested))));
    expect((await send(bytes, { type: 'application/x-protobuf' })).status).toBe(400);
  });

  it('reports how many exceptions were over its limit', async () => {
    const many = Array.from({ length: 1_002 }, (_each, index) => record(`n ${index}`));
    const { status, body } = await send(logsOf(many));
    expect([status, body]).toEqual([
      200,
      {
        partialSuccess: {
          rejectedLogRecords: '2',
          errorMessage: 'Exceptions that were not stored: 2 above the 1000 of an export.',
        },
      },
    ]);
  });

  it('reports it in protobuf too, whatever the number', async () => {
    // A LogRecord with the attribute exception.type, so that an export within the limit has many.
    const wrap = (field: number, inner: Buffer): Buffer =>
      Buffer.concat([Buffer.from([field, ...varint(inner.length)]), inner]);
    const text = (field: number, value: string): Buffer => wrap(field, Buffer.from(value));
    const attribute = Buffer.concat([text(0x0a, 'exception.type'), wrap(0x12, text(0x0a, 'E'))]);
    const one = wrap(0x12, wrap(0x32, attribute));
    const logs = wrap(0x0a, wrap(0x12, Buffer.concat(Array<Buffer>(20_000).fill(one))));
    const { status, body } = await send(logs, { type: 'application/x-protobuf' }).responseType('blob');
    const message = 'Exceptions that were not stored: 19000 above the 1000 of an export.';
    const inner = Buffer.concat([Buffer.from([0x08, ...varint(19_000)]), text(0x12, message)]);
    expect([status, body]).toEqual([200, wrap(0x0a, inner)]);
  });

  it('of which an inbound filter drops exceptions is a success, as with Sentry', async () => {
    await app.postSecret('/inbound-filters', { error_messages: ['ResizeObserver*'] });
    const before = await lost('error');
    expect((await send(logsOf([record('ResizeObserver loop')]))).text).toBe('{}');
    await app.postSecret('/inbound-filters', { error_messages: [] });
    expect((await lost('error')) - before).toBe(1);
  });

  it('that goes over a limit is stored completely, and the next one is 429', async () => {
    const env = { RATE_LIMITS: 'on', RATE_LIMIT_EVENTS_PER_ADDRESS_PER_MINUTE: '2' };
    const limited = await openTestApp({ env });
    const post = (records: object[]) =>
      limited.agent
        .post('/wp-json/notifier/v1/otlp/v1/logs')
        .set({ 'X-Notifier-Key': limited.publicKey })
        .send(logsOf(records));
    const partly = await post([record('1'), record('2'), record('3')]);
    const none = await post([record('4')]);
    const [issue] = (await limited.get('/issues')).body;
    await limited.close();
    expect([partly.status, partly.body, none.status, issue.events]).toEqual([200, {}, 429, 3]);
  });

  it('without exceptions costs one, whatever it has; over the limit it is dropped', async () => {
    const env = { RATE_LIMITS: 'on', RATE_LIMIT_EVENTS_PER_MINUTE: '2' };
    const limited = await openTestApp({ env });
    const body = logsOf(Array.from({ length: 5 }, () => ({ severityNumber: 9, body: { stringValue: 'x' } })));
    for (let times = 0; times < 3; times += 1) {
      const post = limited.agent.post('/wp-json/notifier/v1/otlp/v1/logs');
      await post.set({ 'X-Notifier-Key': limited.publicKey }).send(body).expect(200);
    }
    const [{ outcomes }] = (await limited.get('/outcomes')).body;
    await limited.close();
    expect(outcomes).toMatchObject([
      { outcome: 'filtered', reason: 'unsupported', category: 'log_item', quantity: 10 },
      { outcome: 'rate_limited', reason: 'key_quota', category: 'log_item', quantity: 5 },
    ]);
  });

  it('is accepted at the address of Sentry, with a Sentry header', async () => {
    const { status } = await app.agent
      .post(`/wp-json/notifier/v1/api/${app.project.id}/integration/otlp/v1/traces`)
      .set({ 'X-Sentry-Auth': `sentry sentry_key=${app.publicKey}` })
      .send({});
    expect(status).toBe(200);
  });

  it('needs a public key', async () => {
    const { status } = await app.agent.post('/wp-json/notifier/v1/otlp/v1/logs').send({});
    expect(status).toBe(401);
  });
});
