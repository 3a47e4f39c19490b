// The routes of the reference plugin, each answering as the plugin does. The probe routes are
// probe-routes.ts.
import { randomUUID } from 'node:crypto';
import { isFalsy, toPhpString } from '../../../src/wordpress/php/casts.ts';
import { decodeJson } from '../../../src/wordpress/php/json-decode.ts';
import {
  getMember,
  isPhpArray,
  PhpFloat,
  PhpObject,
  type PhpValue,
} from '../../../src/wordpress/php/values.ts';
import type { Arguments, RestRequest } from '../../../src/wordpress/request/rest-request.ts';
import type { RouteDefinition } from '../../../src/wordpress/request/route-table.ts';
import { RestResponse } from '../../../src/wordpress/response/rest-response.ts';
import { WpError } from '../../../src/wordpress/response/wp-error.ts';
import {
  deployArgs,
  eventArgs,
  feedbackArgs,
  releaseArgs,
  sdkVerifyArgs,
  testRunArgs,
  verificationArgs,
} from './plugin-args.ts';
import { nobody, type PluginStore, type Project, type Verification } from './plugin-store.ts';

export const namespace = 'notifier/v1';

type Permission = (request: RestRequest) => boolean | WpError;
type Callback = (request: RestRequest) => PhpValue | RestResponse | WpError;

/** The plugin's routes in the order it registers them. */
export function pluginRoutes(store: PluginStore, restUrl: (route: string) => string): RouteDefinition[] {
  const open = hasPublicKey(store);
  const secret = hasSecretKey(store);
  const record = (member: string): Callback => {
    return () => new RestResponse({ accepted: true, [member]: store.saveRecord() }, 201);
  };
  const byId = (end: string): string => `/domain-verifications/(?P<id>[\\w-]+)${end}`;
  return [
    post('/store', open, eventArgs, (request) => storeEvent(store, request)),
    post('/envelope', open, {}, (request) => storeEnvelope(store, request)),
    post('/feedback', open, feedbackArgs, (request) => storeFeedback(store, request)),
    post('/sdk-verify', open, sdkVerifyArgs, (request) => verifySdk(store, request)),
    post('/domain-verifications', secret, verificationArgs, (request) =>
      insertDomainVerification(store, restUrl, request),
    ),
    {
      namespace,
      path: byId(''),
      handlers: [
        {
          methods: ['GET'],
          permission: secret,
          args: { id: { description: 'Identifier of the proof.', type: 'string' } },
          callback: (request) => getProof(store, restUrl, request),
        },
      ],
    },
    post(byId('/check'), secret, { force: { type: 'boolean', default: false } }, (request) =>
      checkProof(store, request),
    ),
    post('/releases', secret, releaseArgs, record('release_id')),
    post('/deploys', secret, deployArgs, record('deploy_id')),
    post('/test-runs', secret, testRunArgs, record('test_run_id')),
  ];
}

/** The key of a browser. False lets WordPress write its own 401. */
export function hasPublicKey(store: PluginStore): Permission {
  return (request) => store.findByPublicKey(request.header('x-notifier-key') ?? '') !== null;
}

function post(path: string, permission: Permission, args: Arguments, callback: Callback): RouteDefinition {
  return { namespace, path, handlers: [{ methods: ['POST'], permission, args, callback }] };
}

function hasSecretKey(store: PluginStore): Permission {
  return (request) => {
    const key = bearerKey(request);
    if (key !== null && store.findBySecretKey(key) !== null) return true;
    return new WpError('rest_forbidden', 'A valid secret key is required.', { status: 401 });
  };
}

function bearerKey(request: RestRequest): string | null {
  return /^Bearer\s+(\S+)\n?$/i.exec(request.header('authorization') ?? '')?.[1] ?? null;
}

/**
 * The caller's project. A public key that is there is asked first, whatever the route wants; where it is
 * nobody's, the plugin goes on with a project that is null, and so without an id.
 */
function projectOf(store: PluginStore, request: RestRequest): Project {
  const key = request.header('x-notifier-key') ?? '';
  const owner = key === '' ? store.findBySecretKey(bearerKey(request) ?? '') : store.findByPublicKey(key);
  return owner ?? nobody;
}

function storeEvent(store: PluginStore, request: RestRequest): PhpValue {
  const given = request.get('event_id');
  const eventId = isFalsy(given) ? newEventId() : toPhpString(given);
  const message = toPhpString(request.get('message'));
  const issueId = store.saveEvent(
    projectOf(store, request),
    eventId,
    message,
    toPhpString(request.get('platform')),
  );
  return { accepted: true, event_id: eventId, issue_id: issueId };
}

function storeEnvelope(store: PluginStore, request: RestRequest): PhpValue | WpError {
  const [first = '', ...lines] = splitLines(request.body);
  const header = decoded(first);
  if (!isPhpArray(header)) return invalidEnvelope('The envelope header is not valid JSON.');
  const event = firstEvent(lines);
  const message = isPhpArray(event) ? getMember(event, 'message') : undefined;
  if (typeof message !== 'string') return invalidEnvelope('The envelope holds no event.');
  const eventId = toPhpString(getMember(header, 'event_id') ?? newEventId());
  const platform = toPhpString(getMember(event, 'platform') ?? 'other');
  return {
    accepted: true,
    event_id: eventId,
    issue_id: store.saveEvent(projectOf(store, request), eventId, message, platform),
  };
}

/** The body of the first item of type event: lines come in pairs of item and body. */
function firstEvent(lines: readonly (string | Buffer)[]): PhpValue {
  for (let index = 0; index < lines.length; index += 2) {
    const item = decoded(lines[index] ?? '');
    if (isPhpArray(item) && getMember(item, 'type') === 'event') return decoded(lines[index + 1] ?? '');
  }
  return null;
}

function splitLines(body: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  let start = 0;
  for (let end = body.indexOf(10); end >= 0; end = body.indexOf(10, start)) {
    lines.push(body.subarray(start, end));
    start = end + 1;
  }
  lines.push(body.subarray(start));
  return lines;
}

function decoded(line: string | Buffer): PhpValue {
  const result = decodeJson(Buffer.from(line));
  return result.ok ? result.value : null;
}

function invalidEnvelope(message: string): WpError {
  return new WpError('notifier_invalid_envelope', message, { status: 400 });
}

function newEventId(): string {
  return randomUUID().replaceAll('-', '');
}

function storeFeedback(store: PluginStore, request: RestRequest): RestResponse | WpError {
  if (!projectOf(store, request).bugReports) {
    return new WpError('rest_forbidden', 'Bug reports are not enabled for this domain.', { status: 403 });
  }
  return new RestResponse({ accepted: true, feedback_id: store.saveRecord() }, 201);
}

function verifySdk(store: PluginStore, request: RestRequest): PhpValue {
  const owner = projectOf(store, request);
  return {
    accepted: true,
    features: { bug_reports: owner.id === 1, session_replay: false },
    stats: { events: store.countEvents(owner) > 0 ? 1 : 0, sample_rate: new PhpFloat(1) },
    meta: new PhpObject(),
  };
}

function proofBody(proof: Verification): PhpValue {
  return {
    id: proof.id,
    domain: proof.domain,
    method: proof.method,
    token: proof.token,
    status: proof.status,
    created_at: proof.createdAt,
  };
}

function proofUrl(restUrl: (route: string) => string, id: string): string {
  return restUrl(`/${namespace}/domain-verifications/${id}`);
}

function findDomainVerification(store: PluginStore, request: RestRequest): Verification | null {
  const id = request.get('id');
  return store.findVerification(projectOf(store, request), isPhpArray(id) ? '' : toPhpString(id));
}

function notFound(): WpError {
  return new WpError('notifier_not_found', 'Domain verification not found.', { status: 404 });
}

function insertDomainVerification(
  store: PluginStore,
  restUrl: (route: string) => string,
  request: RestRequest,
): RestResponse {
  const domain = toPhpString(request.get('domain'));
  const proof = store.saveVerification(projectOf(store, request), domain, toPhpString(request.get('method')));
  return new RestResponse(proofBody(proof), 201).header('Location', proofUrl(restUrl, proof.id));
}

function getProof(
  store: PluginStore,
  restUrl: (route: string) => string,
  request: RestRequest,
): RestResponse | WpError {
  const proof = findDomainVerification(store, request);
  if (proof === null) return notFound();
  return new RestResponse(proofBody(proof)).addLink('self', proofUrl(restUrl, proof.id));
}

function checkProof(store: PluginStore, request: RestRequest): PhpValue | WpError {
  const proof = findDomainVerification(store, request);
  if (proof === null) return notFound();
  return { id: proof.id, status: proof.status, verified: false, forced: request.get('force') };
}
