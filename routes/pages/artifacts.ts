// /artifacts: scripts, maps and sources, and one of them to take away.
import { artifactBytes, artifactModel } from '../../src/core/workspace/delivery/artifact.ts';
import { artifactsModel } from '../../src/core/workspace/delivery/artifacts.ts';
import { type Declaration, file, page } from '../../src/http/pages/declare.ts';
import { artifactPage } from '../../src/pages/delivery/artifact.ts';
import { artifactsPage } from '../../src/pages/delivery/artifacts.ts';

/** The pages of artifacts; their bytes are for members. */
export function artifactPages(): Declaration[] {
  return [
    page({ path: '/artifacts', model: artifactsModel, view: artifactsPage }),
    page({ path: '/artifacts/{artifact_id}', model: artifactModel, view: artifactPage }),
    file({
      path: '/artifacts/{artifact_id}/download',
      needs: 'member',
      answer: async (visit) => ({
        contentType: 'application/octet-stream',
        ...(await artifactBytes(visit)),
      }),
    }),
  ];
}
