// Reserved names and addresses (RFC 2606, 5737); example.com, as domain verification needs a public suffix.

// Addresses of the documentation networks (RFC 5737).

export type Customer = ReturnType<typeof createCustomers>[number];

const given =
  'Anna Bartosz Chiara Dmitri Elif Fatima Gintaras Hana Ibrahim Jórunn Katarzyna Liam Mei Nils Oluwaseun Paula Quentin Rosa Søren Thandi Ümit Valérie Wanja Xenia Yusuf Zoë'.split(
    ' ',
  );
const family =
  'Abara Berg Castellano Dvořák Eriksen Fofana García Horvath Ito Jansen Kowalska Lefèvre Müller Nakamura O’Brien Petrov Quispe Rossi Şahin Tamm'.split(
    ' ',
  );
const mailHosts = ['posteo.example', 'mail.example', 'letters.example', 'home.example'];
const locales = ['en-IE', 'en-GB', 'de-DE', 'fr-FR', 'sv-SE', 'ar-EG', 'ja-JP', 'pl-PL'];
const networks = ['192.0.2', '198.51.100', '203.0.113'];

function createCustomers(number: number) {
  return Array.from({ length: number }, (_, index) => {
    const first = given[(index * 7) % given.length] ?? '';
    const last = family[(index * 11 + Math.floor(index / 20)) % family.length] ?? '';
    const nameCycle = Math.floor(index / (given.length * family.length));
    const plain = `${first}.${last}`
      .normalize('NFD')
      .replace(/[^A-Za-z.]/g, '')
      .toLowerCase();
    return {
      id: `u_${(index * 7919 + 4242).toString(36).padStart(5, '0')}`,
      name: `${first} ${last}`,
      email: `${plain}${nameCycle === 0 ? '' : nameCycle + 1}@${mailHosts[index % mailHosts.length]}`,
      address: `${networks[index % networks.length]}.${1 + ((index * 13) % 250)}`,
      locale: locales[index % locales.length] ?? 'en-IE',
    };
  });
}

export const companyName = 'Harbour & Pine';

export const slugs = ['shop-web', 'checkout-api', 'wp-site', 'mobile-shell', 'worker-queue'] as const;
export type Slug = (typeof slugs)[number];

export const colleagues = ['Ines Okafor', 'Jun Park', 'Tomas Lindqvist', 'Mara Feld', 'Aoife Byrne'] as const;
export type Colleague = (typeof colleagues)[number];
export const [ines, jun, tomas, mara] = colleagues;

export const siteHost = 'harbourpine.example.com';
export const shopHost = `shop.${siteHost}`;
export const apiHost = `api.${siteHost}`;
export const blogHost = `blog.${siteHost}`;

export const customers: readonly Customer[] = createCustomers(900);

export const productPaths = [
  '/products/oak-bench',
  '/products/pine-shelf-120',
  '/products/harbour-lamp',
  '/products/tide-table',
  '/products/rope-stool',
] as const;
