// npm run wordpress:record: our answers beside those of a WordPress on this machine. Installs nothing.
import { programPath } from '../../support/program-path.ts';
import { compareWithWordPress, report } from './compare.ts';
import { wordpressPrograms } from './site.ts';

const missing = wordpressPrograms.filter((program) => programPath(program) === null);

if (missing.length > 0) {
  process.stderr.write(`Not here: ${missing.join(', ')}. Debian's packages wordpress, nginx, php-fpm, php-cli,
php-mysql, php-mbstring, php-xml and mariadb-server have them; nothing was compared.\n`);
  process.exitCode = 2;
} else {
  const comparison = await compareWithWordPress();
  process.stdout.write(report(comparison));
  process.exitCode = comparison.unnamed.length === 0 ? 0 : 1;
}
