// @ts-check
// Passkeys: forms with data-passkey ask the browser before they are sent.
//   data-passkey="get"     with the options that a POST to data-options answers
//   data-passkey="create"  with the options in data-options, as JSON

(() => {
  const cancelled = 'No passkey was used. Try again, or use another way.';
  const unable = 'This browser cannot use passkeys here. Use another way.';

  /** @param {HTMLFormElement} form */
  async function ask(form) {
    const given = form.dataset['options'] ?? '';
    if (form.dataset['passkey'] === 'create') {
      const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(JSON.parse(given));
      return navigator.credentials.create({ publicKey });
    }
    const answer = await fetch(given, { method: 'POST' });
    if (!answer.ok) throw new Error(`Status ${answer.status}`);
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(await answer.json());
    return navigator.credentials.get({ publicKey });
  }

  /** @param {HTMLFormElement} form @param {string} text */
  function say(form, text) {
    const place = form.querySelector('.wrong[role=status]');
    if (!(place instanceof HTMLElement)) return;
    place.textContent = text;
    place.hidden = text === '';
  }

  /** @param {HTMLFormElement} form */
  async function fill(form) {
    const field = form.elements.namedItem('response');
    const button = form.querySelector('button[type=submit]');
    if (!(field instanceof HTMLInputElement) || !(button instanceof HTMLButtonElement)) return;
    say(form, '');
    if (!('parseRequestOptionsFromJSON' in (globalThis.PublicKeyCredential ?? {}))) return say(form, unable);
    button.disabled = true;
    try {
      const credential = await ask(form);
      if (!(credential instanceof PublicKeyCredential)) throw new Error('No credential');
      field.value = JSON.stringify(credential.toJSON());
      form.submit();
    } catch {
      say(form, cancelled);
    } finally {
      button.disabled = false;
    }
  }

  document.addEventListener('submit', (event) => {
    const { target } = event;
    if (!(target instanceof HTMLFormElement) || target.dataset['passkey'] === undefined) return;
    event.preventDefault();
    void fill(target);
  });
})();
