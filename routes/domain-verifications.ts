import { domainCheckRequest, domainVerificationRequest } from '../schemas/domain-verifications.ts';
import { byKey } from '../src/core/audit/audit.ts';
import type { Deps } from '../src/core/deps.ts';
import { checkProof, createProof, getProof, revokeProof } from '../src/core/domains/verifications.ts';
import { viewProof } from '../src/core/domains/views.ts';
import { parseBody } from '../src/http/api/parse-body.ts';
import { created, type Handler, ok } from '../src/http/api/route.ts';

/** 201, or 200 with an existing verification that is still valid. */
export function postDomainVerification(deps: Deps): Handler {
  return async (request) => {
    const asked = parseBody(domainVerificationRequest, request);
    const made = await createProof(deps, request.project, asked, byKey(request));
    const body = { accepted: true, ...viewProof(made.proof, deps.config) };
    return made.created ? created(body) : ok(body);
  };
}

export function getDomainVerification(deps: Deps): Handler {
  return async (request) =>
    ok(viewProof(await getProof(deps, request.project, request.path['id'] ?? ''), deps.config));
}

/** 200 for any result; see `verified` and `checks`. */
export function postDomainCheck(deps: Deps): Handler {
  return async (request) => {
    const { method } = parseBody(domainCheckRequest, request);
    const { proof, checks } = await checkProof(
      deps,
      request.project,
      request.path['id'] ?? '',
      method ?? 'any',
    );
    return ok({ accepted: true, ...viewProof(proof, deps.config), checks });
  };
}

export function deleteDomainVerification(deps: Deps): Handler {
  return async (request) => {
    const id = request.path['id'] ?? '';
    const previous = await revokeProof(deps, request.project, id, byKey(request));
    return ok({ deleted: true, previous: viewProof(previous, deps.config) });
  };
}
