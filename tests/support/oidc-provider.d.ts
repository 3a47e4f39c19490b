// The part of oidc-provider, which has no types, that oidc-server.ts uses.
declare module 'oidc-provider' {
  import type { IncomingMessage, ServerResponse } from 'node:http';

  export interface Interaction {
    readonly prompt: { readonly name: string };
    readonly params: Readonly<Record<string, string>>;
  }

  class Provider {
    constructor(issuer: string, configuration: object);
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
    interactionDetails(request: IncomingMessage, response: ServerResponse): Promise<Interaction>;
    interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>;
    Grant: new (of: {
      accountId: string;
      clientId: string | undefined;
    }) => {
      addOIDCScope(scope: string): void;
      save(): Promise<string>;
    };
  }

  export = Provider;
}

declare module 'oidc-provider/lib/adapters/memory_adapter.js' {
  class MemoryAdapter {}

  export = MemoryAdapter;
}
