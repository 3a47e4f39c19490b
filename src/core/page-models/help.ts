import type { RequestContext } from './request-context.ts';

export interface HelpModel {
  readonly api_url: string;
}

export async function helpModel({ apiUrl }: RequestContext): Promise<HelpModel> {
  return { api_url: apiUrl };
}
