declare module 'web-push' {
  interface VapidKeys {
    readonly publicKey: string;
    readonly privateKey: string;
  }
  interface WebPushLibrary {
    generateVAPIDKeys(): VapidKeys;
    generateRequestDetails(
      subscription: { endpoint: string; keys: { p256dh: string; auth: string } },
      payload: string,
      options: { vapidDetails: VapidKeys & { subject: string }; TTL: number; urgency: string },
    ): { endpoint: string; headers: Record<string, string | number>; body: Buffer };
  }
  const library: WebPushLibrary;
  export = library;
}
