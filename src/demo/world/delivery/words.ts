// What commits say, by project: texts alone.
import { checkoutApi, mobileShell, shopWeb, wpSite } from '../story.ts';

/** Subjects of commits; a release has some of its project's. */
const subjects: Readonly<Record<number, readonly string[]>> = {
  [shopWeb]: [
    'quote: ask for rates by zone',
    'basket: keep quantities while the quote loads',
    'search: suggestions are asked for once',
    'build: newer preact',
    'gallery: decode what is on screen first',
    'address: Isle of Man is a zone of its own',
    'menu: stop at twelve levels',
    'wishlist: remember what was removed',
    'prices: round half a cent up',
    'translations of the month',
    'images: smaller ones for small screens',
    'tests: no clock but ours',
  ],
  [checkoutApi]: [
    'capture: say which gateway answered',
    'quotes: one rate for each zone',
    'stock: lock rows in one order',
    'webhooks: check the signature first',
    'taxes: rates of the new year',
    'sessions: end after a day',
    'logs: no postcode in them',
    'build: newer node',
    'captures: one key a payment',
  ],
  [wpSite]: [
    'shipping: rates of the month',
    'feed: in slices of 200 products',
    'import: skip rows without a price',
    'theme: headings in order',
    'build: newer WordPress',
  ],
  [mobileShell]: [
    'menu: closes with the back button',
    'scanner: ask for the camera once',
    'offline: keep the basket for a week',
    'push: one message a day',
    'build: newer capacitor',
    'search: the keyboard closes',
  ],
};

const anySubjects = ['orders: label in one go', 'queue: wait longer after each try', 'build: first version'];

/** The subjects that a project has. */
export function subjectsOf(projectId: number): readonly string[] {
  return subjects[projectId] ?? anySubjects;
}

/** What the trouble under way came with. */
export const troubleSubject = 'capture: three attempts';
export const troubleFile = 'src/payments/capture.ts';
