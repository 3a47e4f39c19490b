// A bundle that is put together while its client asks another thread: nobody begins it twice.
import { expect, it } from '@jest/globals';
import { localPlaces } from '../../../src/core/shared/places.ts';
import { openAssembly } from '../../../src/core/source-maps/bundles.ts';
import { silentLog } from '../../../src/program/log.ts';

it('is put together by one thread alone, and by the next once that one is through', async () => {
  const store = { missingChunks: async () => [], chunksFiled: async () => {} };
  const deps = { store, now: () => 0, log: silentLog, underWay: localPlaces() } as never;
  const [here, there] = [openAssembly(deps), openAssembly(deps)];
  const request = { checksum: 'a'.repeat(40), chunks: ['b'.repeat(40)] } as never;
  const project = { id: 1 } as never;
  const filing = Promise.withResolvers<void>();
  let begun = 0;
  const file = (): Promise<void> => {
    begun += 1;
    return filing.promise;
  };
  const first = here.assemble(project, request, file);
  expect(await there.assemble(project, request, file)).toEqual({ state: 'assembling', missingChunks: [] });
  expect(begun).toBe(1);
  filing.resolve();
  expect(await first).toMatchObject({ state: 'ok' });
  expect(await there.assemble(project, request, file)).toMatchObject({ state: 'ok' });
  expect(begun).toBe(2);
});
