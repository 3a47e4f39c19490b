import { alternatives, joinPattern, splitBySpaces, wordSet } from './patterns.ts';

const pairSet = (words: string): ReadonlySet<string> => new Set(words.split(',').map((pair) => pair.trim()));

export const secretWords: ReadonlySet<string> = wordSet(`
    password passwords passwd pwd pw psw pswd pass creds cred passphrase passcode secret secrets auth oauth
    authorization authorisation credential credentials token tokens jwt bearer session sessions sessionid
    sessid sess sid phpsessid jsessionid cookie cookies csrf xsrf nonce wpnonce otp totp mfa psk cvv cvc csc
    ssn iban apikey accesskey privatekey secretkey signingkey encryptionkey creditcard cardnumber ccnumber
    ccnum sessionkey authkey passkey sig dbpass userpass smtppass ftppass rootpass adminpass mysqlpass
    storepass keypass srcstorepass deststorepass privkey requirepass masterauth authcode oobcode
    samlresponse mnemonic seedphrase
    clave passwort kennwort motdepasse contrasena contraseña senha wachtwoord haslo hasło heslo lozinka
    parola sifre şifre adgangskode losenord lösenord salasana jelszo jelszó пароль 密码 密碼 パスワード 비밀번호`);

export const secretPairs: ReadonlySet<string> = pairSet(`
    api key,access key,private key,secret key,encryption key,signing key,auth key,app key,master key,
    license key,licence key,ssh key,service key,account key,notifier key,client key,deploy key,session key,
    subscription key,unseal key,shared key,preshared key,activation key,reset key,registration key,product key,
    serial key,merchant key,hmac key,cipher key,crypto key,rsa key,tls key,ssl key,aes key,fernet key,
    jwt key,ingest key,instrumentation key,integration key,credit card,card number,card num,cc number,cc num,
    debit card,
    security code,card code,two factor,pass word,pass phrase,social security,account number,routing number,
    access signature,code verifier,client assertion,saml assertion,saml response,recovery code,
    recovery codes,backup code,backup codes,fa code,fa secret,verification code,confirmation code,
    activation code,invite code,invitation code,reset code,login code,auth code,authentication code,
    access code,sms code,device code,user code,oob code,seed phrase,recovery phrase,secret phrase,de passe,
    wordpress sec,amz signature,goog signature,logged in,remember me`);

/** Usually a location: the value is a secret only where it looks random. */
export const weakPairs: ReadonlySet<string> = pairSet(
  'storage key,host key,cookie key,validation key,decryption key',
);

/** The value is a secret only where it looks random. */
export const weakWords: ReadonlySet<string> = wordSet('signature hmac verifier salt');

/** The value is a secret where it is a number of some length. */
export const pinWords: ReadonlySet<string> = wordSet('pin pincode');

/** For words that are written together: "userpassword", "csrftoken". */
export const secretEndings = joinPattern(
  '',
  alternatives(`password passwd passphrase pwd secret apikey tokens? sessionid sessid cookie privatekey accesskey
    secretkey credentials?`),
  '$',
);
export const secretStarts = /^(?:password|passwd|passphrase|apikey|phpsess|jsession|aspsession|secretkey)/;

/** Numbers with these names are counts: "max_tokens": 4096. */
export const countWords: ReadonlySet<string> = wordSet(
  'tokens token session sessions cookies cookie pass auth nonce',
);

/** Last words that say something about a secret: "token_type", "password_changed_at". */
export const descriptiveEndings: ReadonlySet<string> = wordSet(`
    count counts length len size type types kind name names timeout ttl expiry expires expired expiration
    duration lifetime age at on in date time timestamp seconds minutes hours days ms interval delay url uri
    link href redirect callback endpoint path dir directory folder host hostname port server database table
    driver domain policy strength min max limit limits status state enabled disabled required valid invalid
    present missing exists method methods mode provider providers strategy scheme algorithm alg format
    version field fields label placeholder title description help column columns attempt attempts failures
    retries changed created updated reset hint error errors message reason handler service controller
    manager store storage class file files filename stdin prompt config index position prefix suffix usage
    used remaining budget total consent realm issuer audience scope scopes level rule rules check test tests
    spec page form view screen route email emails mail notification template event events user username role
    roles group owner secure httponly samesite flow grant backend backends guard guards middleware plugin
    plugins module regex pattern locale language region environment origin source context action actions
    malformed rate rates ratio percent percentage score ref refs reference`);

export const descriptiveStarts: ReadonlySet<string> = wordSet(`
    has is was no not without need needs require requires required show hide enable enabled disable disabled
    allow allows max min num number total count missing invalid wrong expired supports forgot lost toggle
    should can must`);

/** Used to find names in text, also inside other words. */
export const keyWordsAnywhere: readonly string[] = splitBySpaces(`
    pass pwd cred secret token sess cookie auth key card code phrase number samlresponse assertion mnemonic
    hmac verifier signature factor security remember logged wordpress nonce csrf xsrf bearer kennwort
    contras senha wachtwoord haslo heslo lozinka parola sifre adgangskode losenord salasana jelsz clave
    salt`);

/** Only at the start of a word: they occur inside too many others. */
export const keyWordsAtWordStart: readonly string[] = splitBySpaces(
  'pw psw pswd jwt sid otp totp mfa cvv cvc csc ssn iban ccnum sig psk pin',
);

export const nonLatinKeyWords: readonly string[] = splitBySpaces(
  'hasło şifre lösenord пароль 密码 密碼 パスワード 비밀번호 contraseña jelszó',
);
