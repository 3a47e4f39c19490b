// /releases and /deploys: what went out, and where to.
import { deploysModel } from '../../src/core/workspace/delivery/deploys.ts';
import { releaseModel } from '../../src/core/workspace/delivery/release.ts';
import { releasesModel } from '../../src/core/workspace/delivery/releases.ts';
import { type Declaration, page } from '../../src/http/pages/declare.ts';
import { deploysPage } from '../../src/pages/delivery/deploys.ts';
import { releasePage } from '../../src/pages/delivery/release.ts';
import { releasesPage } from '../../src/pages/delivery/releases.ts';

/** The pages of releases and deploys. */
export function releasePages(): Declaration[] {
  return [
    page({ path: '/releases', model: releasesModel, view: releasesPage }),
    page({ path: '/releases/{release_id}', model: releaseModel, view: releasePage }),
    page({ path: '/deploys', model: deploysModel, view: deploysPage }),
  ];
}
