import type { RequestContext } from './request-context.ts';

export type HelpModel = Awaited<ReturnType<typeof helpModel>>;

export async function helpModel({ apiUrl }: RequestContext) {
  return { api_url: apiUrl };
}
