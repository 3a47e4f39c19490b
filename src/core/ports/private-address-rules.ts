/** Which private addresses monitors and alert channels may connect to; src/net checks each again. */
export interface PrivateAddressRules {
  /** True for public addresses and for those in NOTIFIER_FETCH_ALLOW. */
  mayReach(host: string, address: string): boolean;
}
