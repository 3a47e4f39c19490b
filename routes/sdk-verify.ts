// POST /sdk-verify: what a running SDK may do on its page, and whether it is seen.
import { sdkVerifyRequest } from '../schemas/sdk-verify.ts';
import type { Deps } from '../src/core/deps.ts';
import { verifySdk } from '../src/core/projects/sdk-verify.ts';
import { senderOf } from '../src/http/api/event-context.ts';
import { givenParams } from '../src/http/api/given-params.ts';
import { parseBody } from '../src/http/api/parse-body.ts';
import { type ApiResponse, type Handler, ok } from '../src/http/api/route.ts';

/**
 * Answers 200 with verdict, flags and figures; where the caller's `If-None-Match` or `etag` still holds, 304
 * or a short
 * 200. (RFC 9110 would have 412 for a POST; an SDK that polls wants to hear "nothing new", not an error.
 *   Scripts of another origin can neither read an ETag header nor send If-None-Match, so the body carries it
 *   for them.)
 */
export function postSdkVerify(deps: Deps): Handler {
  return async (request): Promise<ApiResponse> => {
    const asked = parseBody(sdkVerifyRequest, givenParams(request));
    const sender = senderOf(request);
    const answer = await verifySdk(deps, request.project, asked, sender);
    const headers = [['ETag', answer.etag]] as const;
    if (holds(request.header('if-none-match'), answer.etag)) return { status: 304, body: null, headers };
    if (asked.etag !== answer.etag) return ok(answer, headers);
    const { accepted, verified, verification_id, server_time, ttl, etag } = answer;
    return ok({ accepted, verified, verification_id, server_time, ttl, etag, not_modified: true }, headers);
  };
}

function holds(ifNoneMatch: string | undefined, etag: string): boolean {
  const tags = (ifNoneMatch ?? '').split(',').map((tag) => tag.trim());
  return tags.some((tag) => tag === etag || `W/${tag}` === etag);
}
