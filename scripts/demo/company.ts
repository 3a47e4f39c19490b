// Harbour & Pine, a company that sells furniture and does not exist: its hosts and its customers.
// Reserved names and addresses alone (RFC 2606, 5737). Its hosts lie below example.com and not below
// .example, because a proof is refused to a name that no public suffix has.

export const home = 'harbourpine.example.com';
export const shopHost = `shop.${home}`;
export const apiHost = `api.${home}`;
export const blogHost = `blog.${home}`;

export interface Customer {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  /** Documentation's own networks. */
  readonly address: string;
  readonly locale: string;
}

const given =
  'Anna Bartosz Chiara Dmitri Elif Fatima Gintaras Hana Ibrahim Jórunn Katarzyna Liam Mei Nils Oluwaseun Paula Quentin Rosa Søren Thandi Ümit Valérie Wanja Xenia Yusuf Zoë'.split(
    ' ',
  );
const family =
  'Abara Berg Castellano Dvořák Eriksen Fofana García Horvath Ito Jansen Kowalska Lefèvre Müller Nakamura O’Brien Petrov Quispe Rossi Şahin Tamm'.split(
    ' ',
  );
const mailHosts = ['posteo.example', 'mail.example', 'example.org', 'example.net'];
const locales = ['en-IE', 'en-GB', 'de-DE', 'fr-FR', 'sv-SE', 'ar-EG', 'ja-JP', 'pl-PL'];
const networks = ['192.0.2', '198.51.100', '203.0.113'];

/** Always the same; of one name there are several. */
export const customers: readonly Customer[] = Array.from({ length: 1800 }, (_, index) => {
  const first = given[(index * 7) % given.length] ?? '';
  const last = family[(index * 11 + Math.floor(index / 20)) % family.length] ?? '';
  const round = Math.floor(index / (given.length * family.length));
  const plain = `${first}.${last}`
    .normalize('NFD')
    .replace(/[^A-Za-z.]/g, '')
    .toLowerCase();
  return {
    id: `u_${(index * 7919 + 4242).toString(36).padStart(5, '0')}`,
    name: `${first} ${last}`,
    email: `${plain}${round === 0 ? '' : round + 1}@${mailHosts[index % mailHosts.length]}`,
    address: `${networks[index % networks.length]}.${1 + ((index * 13) % 250)}`,
    locale: locales[index % locales.length] ?? 'en-IE',
  };
});

export const productPaths = [
  '/products/oak-bench',
  '/products/pine-shelf-120',
  '/products/harbour-lamp',
  '/products/tide-table',
  '/products/rope-stool',
] as const;
