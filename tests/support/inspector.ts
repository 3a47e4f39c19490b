// Sends a V8 inspector command to all threads of another process.

export type InspectorAddress = string;

interface Said {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly sessionId: string; readonly message: string };
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** Results of all threads, the main thread's first; threads that end meanwhile are left out. */
export async function askThreads(
  address: InspectorAddress,
  method: string,
  params: object = {},
): Promise<unknown[]> {
  const socket = await connected(address);
  try {
    const threads = new Set<string>();
    const answers = new Map<string, PromiseWithResolvers<Said | null>>();
    const answer = (of: string): Promise<Said | null> => {
      const one = Promise.withResolvers<Said | null>();
      answers.set(of, one);
      return one.promise;
    };
    socket.addEventListener('close', () => {
      for (const [of, one] of answers) one.reject(new Error(`the inspector left ${of} without an answer`));
    });
    socket.addEventListener('message', ({ data }) => {
      const said = JSON.parse(String(data)) as Said;
      const thread = said.params?.sessionId ?? '';
      if (said.method === 'NodeWorker.attachedToWorker') threads.add(thread);
      if (said.method === 'NodeWorker.detachedFromWorker') answers.get(thread)?.resolve(null);
      if (said.method === 'NodeWorker.receivedMessageFromWorker') {
        answers.get(thread)?.resolve(JSON.parse(said.params?.message ?? '{}') as Said);
      }
      if (said.id !== undefined) answers.get(`main ${said.id}`)?.resolve(said);
    });
    const call = (id: number, what: string, of: object): Promise<Said | null> => {
      const promise = answer(`main ${id}`);
      socket.send(JSON.stringify({ id, method: what, params: of }));
      return promise;
    };
    // The attached workers are announced before this is answered.
    resultOf(await call(1, 'NodeWorker.enable', { waitForDebuggerOnStart: false }));
    const said = [await call(2, method, params)];
    for (const [index, sessionId] of [...threads].entries()) {
      const promise = answer(sessionId);
      const message = JSON.stringify({ id: 1, method, params });
      resultOf(await call(3 + index, 'NodeWorker.sendMessageToWorker', { sessionId, message }));
      said.push(await promise);
    }
    return said.filter((one) => one !== null).map(resultOf);
  } finally {
    socket.close();
  }
}

function connected(address: InspectorAddress): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(address);
    socket.addEventListener('error', () => reject(new Error(`the inspector at ${address} does not answer`)));
    socket.addEventListener('open', () => resolve(socket));
  });
}

function resultOf(said: Said | null): unknown {
  if (said?.error !== undefined) throw new Error(said.error.message);
  return said?.result;
}
