// What acts on projects, domains and members would do.
import type { Would } from './would-of.ts';

export const settingActs: Readonly<Record<string, Would>> = {
  '/projects': {
    title: 'Make a project',
    what: 'It would have a public and a secret key, shown once, and the lines that send a first error.',
    needs: 'admin',
  },
  '/projects/{project_id}/rename': {
    title: 'Rename this project',
    what: 'It would be called so on every page. Its keys and addresses stay what they are.',
    needs: 'admin',
  },
  '/projects/{project_id}/settings': {
    title: 'Change what this project keeps',
    what: 'What is removed from events, and whether addresses are kept, would hold for every event from then on.',
    needs: 'admin',
  },
  '/projects/{project_id}/delete': {
    title: 'Delete this project',
    what: 'It would be gone with all that it holds: issues, events, releases, runs and artifacts. The form asks for its name first.',
    needs: 'admin',
  },
  '/projects/{project_id}/keys': {
    title: 'Make a key',
    what: 'The new key would be shown this once. It works at once, beside those that there are.',
    needs: 'admin',
  },
  '/projects/{project_id}/keys/{key_id}/change': {
    title: 'Change a key',
    what: 'What it may do, from where and until when would hold from the next request on. The key itself stays.',
    needs: 'admin',
  },
  '/projects/{project_id}/keys/{key_id}/rotate': {
    title: 'Replace a key',
    what: 'A new key would be shown this once, and the old one go on for as long as was chosen.',
    needs: 'admin',
  },
  '/projects/{project_id}/keys/{key_id}/revoke': {
    title: 'End a key',
    what: 'It would be refused from then on. Senders that still have it are counted, and send nothing.',
    needs: 'admin',
  },
  '/domains': {
    title: 'Add a domain',
    what: 'It would wait for its proof: a record, a file or a tag, of which the page shows the text to copy.',
    needs: 'admin',
  },
  '/domains/{domain_id}/switches': {
    title: 'Change what this domain may send',
    what: 'Its errors, its bug reports and the share that is kept would be as chosen, within a minute.',
    needs: 'admin',
  },
  '/domains/{domain_id}/remove': {
    title: 'Remove this domain',
    what: 'What it sends would be refused from then on. What it sent stays.',
    needs: 'admin',
  },
  '/domains/{domain_id}/proof': {
    title: 'Prove this domain',
    what: 'A token would be made for it, to be published as a record, a file or a tag within seven days.',
    needs: 'admin',
  },
  '/domains/{domain_id}/check': {
    title: 'Look at the domain now',
    what: 'The record, the file or the tag would be looked for at once, and the answer be kept with its reason.',
    needs: 'admin',
  },
  '/domains/{domain_id}/token': {
    title: 'Make a new token',
    what: 'The proof would begin anew with another text to publish; the old one would prove nothing.',
    needs: 'admin',
  },
  '/domains/{domain_id}/revoke': {
    title: 'Take this proof back',
    what: 'The domain would count as not proved, and be looked at no more until somebody proves it again.',
    needs: 'admin',
  },
  '/members': {
    title: 'Add a member',
    what: 'They would come in by a link that works once, which is shown to you alone.',
    needs: 'admin',
  },
  '/members/{member_id}/link': {
    title: 'Make a link to come in by',
    what: 'It would be shown this once, and work once. One that was made before would work no more.',
    needs: 'admin',
  },
  '/members/{member_id}/withdraw': {
    title: 'Take a link back',
    what: 'Nobody could come in by it any more.',
    needs: 'admin',
  },
  '/members/{member_id}/role': {
    title: 'Change what a member may do',
    what: 'Viewers look, members act on issues, admins change projects and people. It would hold from their next click on.',
    needs: 'admin',
  },
  '/members/{member_id}/remove': {
    title: 'Send a member away',
    what: 'Their sessions and links would end at once. What they did stays under their name.',
    needs: 'admin',
  },
  '/members/sessions/{session_id}/end': {
    title: 'End one of your sessions',
    what: 'Whoever uses it would have to sign in again.',
    needs: 'viewer',
  },
  '/members/sessions/end-others': {
    title: 'End all other sessions of yours',
    what: 'Only the browser that you look through would stay signed in.',
    needs: 'viewer',
  },
};
