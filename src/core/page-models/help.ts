import type { RequestContext } from './request-context.ts';

export interface HelpModel {
  /** The namespace URL of the API, for commands to copy. */
  readonly api_url: string;
}

export async function helpModel({ apiUrl }: RequestContext): Promise<HelpModel> {
  return { api_url: apiUrl };
}
