import { domainCheckRequest, domainVerificationRequest } from '../schemas/domain-verifications.ts';
import {
  checkVerification,
  createVerification,
  getVerification,
  replaceVerificationToken,
  revokeVerification,
} from '../src/core/domains/verifications.ts';
import { viewVerification } from '../src/core/domains/views.ts';
import { created, handler, inputHandler, ok } from '../src/http/api/route.ts';

export const postDomainVerification = inputHandler(
  domainVerificationRequest,
  async (deps, request, input) => {
    const result = await createVerification(deps, request.project, input, request.by);
    const body = { accepted: true, ...viewVerification(result.proof, deps.config) };
    return result.created ? created(body) : ok(body);
  },
);

export const getDomainVerification = handler(async (deps, request) =>
  ok(viewVerification(await getVerification(deps, request.project, request.path['id'] ?? ''), deps.config)),
);

export const postDomainCheck = inputHandler(domainCheckRequest, async (deps, request, { method }) => {
  const selection = { id: request.path['id'] ?? '', method: method ?? 'any' };
  const { proof, checks } = await checkVerification(deps, request.project, selection, request.by);
  return ok({ accepted: true, ...viewVerification(proof, deps.config), checks });
});

/** Pending again, until the new token is found. */
export const postDomainVerificationToken = handler(async (deps, request) => {
  const id = request.path['id'] ?? '';
  const proof = await replaceVerificationToken(deps, request.project, id, request.by);
  return ok({ accepted: true, ...viewVerification(proof, deps.config) });
});

export const deleteDomainVerification = handler(async (deps, request) => {
  const id = request.path['id'] ?? '';
  const previous = await revokeVerification(deps, request.project, id, request.by);
  return ok({ deleted: true, previous: viewVerification(previous, deps.config) });
});
