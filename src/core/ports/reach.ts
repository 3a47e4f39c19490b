/** Which private addresses monitors and alert channels may connect to; src/outbound checks each again. */
export interface Reach {
  /** True for public addresses and for those in NOTIFIER_FETCH_ALLOW. */
  mayReach(host: string, address: string): boolean;
}
