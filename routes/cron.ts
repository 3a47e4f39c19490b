// GET and POST /api/{project}/cron/{monitor_slug}/{key}: one check-in of a job by its address, for jobs that
// have curl and no SDK (docs/monitors.md, "Cron jobs").
import type { Deps } from '../src/core/deps.ts';
import { parseEventId } from '../src/core/ids.ts';
import { eventContext } from '../src/http/api/event-context.ts';
import { type ApiRequest, type ApiResponse, type Handler, ok } from '../src/http/api/route.ts';
import { keepUpload } from './envelope.ts';

/** Takes the check-in that the query, or a JSON body, tells of: the same as an item of an envelope. */
export function takeCronCheckIn(deps: Deps): Handler {
  return async (request): Promise<ApiResponse> => {
    const payload = Buffer.from(JSON.stringify(checkInOf(request)));
    const items = [{ type: 'check_in', headers: {}, payload }];
    await keepUpload(
      deps,
      request,
      { kind: 'envelope', envelope: { headers: {}, items } },
      eventContext(request),
    );
    const id = parseEventId(request.params['check_in_id']);
    return ok({ ...(id === null ? {} : { id }), accepted: true });
  };
}

function checkInOf({ params, path }: ApiRequest): Record<string, unknown> {
  const { status, check_in_id, environment, duration, monitor_config } = params;
  return {
    monitor_slug: decoded(path['monitor_slug'] ?? ''),
    status,
    check_in_id,
    environment,
    duration: typeof duration === 'string' && duration !== '' ? Number(duration) : duration,
    monitor_config,
  };
}

/** A part of an address; as it is where it is not encoded as addresses are. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
