// What the help page says of this server: the rest of it is the same everywhere.
import type { Visit } from './visit.ts';

export interface HelpModel {
  /** The namespace of the API, for lines that are to be pasted. */
  readonly api_url: string;
}

/** The model of `/help`. */
export async function helpModel({ apiUrl }: Visit): Promise<HelpModel> {
  return { api_url: apiUrl };
}
