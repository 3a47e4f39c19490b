import { domainCheckRequest, domainVerificationRequest } from '../schemas/domain-verifications.ts';
import { keySource } from '../src/core/audit/audit.ts';
import {
  checkVerification,
  createVerification,
  getVerification,
  replaceVerificationToken,
  revokeVerification,
} from '../src/core/domains/verifications.ts';
import { viewVerification } from '../src/core/domains/views.ts';
import { parseParameters } from '../src/http/api/parse-parameters.ts';
import { created, handler, ok } from '../src/http/api/route.ts';

export const postDomainVerification = handler(async (deps, request) => {
  const input = parseParameters(domainVerificationRequest, request);
  const result = await createVerification(deps, request.project, input, keySource(request));
  const body = { accepted: true, ...viewVerification(result.proof, deps.config) };
  return result.created ? created(body) : ok(body);
});

export const getDomainVerification = handler(async (deps, request) =>
  ok(viewVerification(await getVerification(deps, request.project, request.path['id'] ?? ''), deps.config)),
);

export const postDomainCheck = handler(async (deps, request) => {
  const { method } = parseParameters(domainCheckRequest, request);
  const selection = { id: request.path['id'] ?? '', method: method ?? 'any' };
  const { proof, checks } = await checkVerification(deps, request.project, selection, keySource(request));
  return ok({ accepted: true, ...viewVerification(proof, deps.config), checks });
});

/** Pending again, until the new token is found. */
export const postDomainVerificationToken = handler(async (deps, request) => {
  const id = request.path['id'] ?? '';
  const proof = await replaceVerificationToken(deps, request.project, id, keySource(request));
  return ok({ accepted: true, ...viewVerification(proof, deps.config) });
});

export const deleteDomainVerification = handler(async (deps, request) => {
  const id = request.path['id'] ?? '';
  const previous = await revokeVerification(deps, request.project, id, keySource(request));
  return ok({ deleted: true, previous: viewVerification(previous, deps.config) });
});
