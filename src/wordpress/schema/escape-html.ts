// WordPress's `esc_html`: text that is to stand between tags. Known entities stay, all other ampersands are
// escaped.

/** The text with `& < > " '` escaped, entities that WordPress knows kept as they are. */
export function escapeHtml(text: string): string {
  if (!/[&<>"']/.test(text)) return text;
  return text
    .replace(/&(?:#([xX]?)([0-9a-fA-F]+);|([A-Za-z]{2,8}[0-9]{0,2});)?/g, entity)
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#039;');
}

function entity(match: string, x?: string, digits?: string, name?: string): string {
  if (name !== undefined) return entityNames.has(name) ? match : `&amp;${match.slice(1)}`;
  if (digits === undefined) return `&amp;${match.slice(1)}`;
  const bare = digits.replace(/^0+/, '');
  const isHex = x !== '';
  const fits = isHex ? bare.length <= 6 : /^[0-9]{1,7}$/.test(bare);
  if (!fits || !isCharacter(Number.parseInt(bare, isHex ? 16 : 10))) return `&amp;${match.slice(1)}`;
  return isHex ? `&#x${bare};` : `&#${bare.padStart(3, '0')};`;
}

function isCharacter(point: number): boolean {
  if (point === 0x9 || point === 0xa || point === 0xd) return true;
  if (point >= 0x20 && point <= 0xd7ff) return true;
  return (point >= 0xe000 && point <= 0xfffd) || (point >= 0x10000 && point <= 0x10ffff);
}

// The entities of HTML 4.
const entityNames: ReadonlySet<string> = new Set(
  (
    'nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup1 sup2 sup3 acute ' +
    'micro para middot cedil ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc Atilde Auml Aring AElig Ccedil ' +
    'Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve Oacute Ocirc Otilde Ouml times Oslash Ugrave ' +
    'Uacute Ucirc Uuml Yacute THORN szlig agrave aacute acirc atilde auml aring aelig ccedil egrave eacute ecirc euml ' +
    'igrave iacute icirc iuml eth ntilde ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute ' +
    'thorn yuml quot amp lt gt OElig oelig Scaron scaron Yuml circ tilde ensp emsp thinsp zwnj zwj lrm rlm ndash ' +
    'mdash lsquo rsquo sbquo ldquo rdquo bdquo dagger Dagger permil lsaquo rsaquo euro fnof Alpha Beta Gamma Delta ' +
    'Epsilon Zeta Eta Theta Iota Kappa Lambda Mu Nu Xi Omicron Pi Rho Sigma Tau Upsilon Phi Chi Psi Omega alpha beta ' +
    'gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigmaf sigma tau upsilon phi chi psi ' +
    'omega thetasym upsih piv bull hellip prime Prime oline frasl weierp image real trade alefsym larr uarr rarr darr ' +
    'harr crarr lArr uArr rArr dArr hArr forall part exist empty nabla isin notin ni prod sum minus lowast radic prop ' +
    'infin ang and or cap cup int sim cong asymp ne equiv le ge sub sup nsub sube supe oplus otimes perp sdot lceil ' +
    'rceil lfloor rfloor lang rang loz spades clubs hearts diams there4'
  ).split(' '),
);
