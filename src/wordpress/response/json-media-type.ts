// WordPress's `wp_is_json_media_type`.

// The range `&-^` is in WordPress's own pattern. The blanks are those of PCRE's `\s`.
const jsonMediaType =
  /(?:^|[ \t\n\v\f\r]|,)application\/(?:[A-Za-z0-9_!#$&-^.+]+\+)?json(?:\+oembed)?(?:$|[ \t\n\v\f\r]|;|,)/i;

/** True for `application/json`, `application/…+json` and `json+oembed`, also in a comma-separated list. */
export function isJsonMediaType(type: string): boolean {
  return jsonMediaType.test(type);
}
