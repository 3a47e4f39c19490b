// Where the server may ask and send: a type alone. src/outbound judges every address again.

/** Which private addresses monitors and alert channels may lead to. */
export interface Reach {
  /** Whether an address of the host may be connected to: a public one, or one that is named. */
  mayReach(host: string, address: string): boolean;
}
