// @ts-check
// Passkeys: forms with data-passkey ask the browser before they are sent.
//   data-passkey="get"     with the options that a POST to data-options answers
//   data-passkey="create"  with the options in data-options, as JSON

(() => {
  const { showFormError, submitWith } = globalThis.notifier;
  const cancelled = 'No passkey was used. Try again, or use another way.';
  const unable = 'This browser cannot use passkeys here. Use another way.';

  /** @param {DOMStringMap} data */
  async function requestCredential({ options = '', passkey }) {
    if (passkey === 'create') {
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(JSON.parse(options));
      return navigator.credentials.create({ publicKey });
    }
    const answer = await fetch(options, { method: 'POST' });
    if (!answer.ok) throw new Error(`Status ${answer.status}`);
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(await answer.json());
    return navigator.credentials.get({ publicKey });
  }

  /** @param {DOMStringMap} data */
  async function credentialOf(data) {
    const credential = await requestCredential(data);
    if (!(credential instanceof PublicKeyCredential)) throw new Error('No credential');
    return credential;
  }

  document.addEventListener('submit', (event) => {
    const { target } = event;
    if (!(target instanceof HTMLFormElement) || target.dataset['passkey'] === undefined) return;
    event.preventDefault();
    if (!('parseRequestOptionsFromJSON' in (globalThis.PublicKeyCredential ?? {})))
      showFormError(target, unable);
    else void submitWith(target, 'response', () => credentialOf(target.dataset), cancelled);
  });
})();
