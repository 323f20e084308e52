const UNRESERVED_OR_SUB = "A-Za-z0-9\\-._~!$&'()*+,;=";
const PERCENT = '%[0-9A-Fa-f]{2}';
const PCHAR = `(?:[${UNRESERVED_OR_SUB}:@]|${PERCENT})`;

const OCTET = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const IPV4 = `(?:${OCTET}\\.){3}${OCTET}`;
const H16 = '[0-9A-Fa-f]{1,4}';
const LS32 = `(?:${H16}:${H16}|${IPV4})`;
const IPV6 = [
  `(?:${H16}:){6}${LS32}`,
  `::(?:${H16}:){5}${LS32}`,
  `(?:${H16})?::(?:${H16}:){4}${LS32}`,
  `(?:(?:${H16}:){0,1}${H16})?::(?:${H16}:){3}${LS32}`,
  `(?:(?:${H16}:){0,2}${H16})?::(?:${H16}:){2}${LS32}`,
  `(?:(?:${H16}:){0,3}${H16})?::${H16}:${LS32}`,
  `(?:(?:${H16}:){0,4}${H16})?::${LS32}`,
  `(?:(?:${H16}:){0,5}${H16})?::${H16}`,
  `(?:(?:${H16}:){0,6}${H16})?::`,
].join('|');
const IP_LITERAL = `\\[(?:${IPV6}|[vV][0-9A-Fa-f]+\\.[${UNRESERVED_OR_SUB}:]+)\\]`;
const REG_NAME = `(?:[${UNRESERVED_OR_SUB}]|${PERCENT})*`;
const USERINFO = `(?:(?:[${UNRESERVED_OR_SUB}:]|${PERCENT})*@)?`;
const AUTHORITY = `${USERINFO}(?:${IP_LITERAL}|${REG_NAME})(?::\\d*)?`;

const PATH = `(?://${AUTHORITY}(?:/${PCHAR}*)*|/(?:${PCHAR}+(?:/${PCHAR}*)*)?|${PCHAR}+(?:/${PCHAR}*)*)?`;
const REST = `(?:${PCHAR}|[/?])*`;

const URI_FORM = new RegExp(`^[A-Za-z][A-Za-z0-9+\\-.]*:${PATH}(?:\\?${REST})?(?:#${REST})?$`);
const AUTHORITY_FORM = new RegExp(`^${AUTHORITY}$`);
const PCHARS_FORM = new RegExp(`^${PCHAR}*$`);

/** Returns whether the text is a URI with a scheme (RFC 3986, `URI`), in linear time. */
export function isUri(text: string): boolean {
  return URI_FORM.test(text);
}

/** Returns whether the text is a non-empty host with optional user information and port (RFC 3986, `authority`). */
export function isAuthority(text: string): boolean {
  return text !== '' && AUTHORITY_FORM.test(text);
}

/** Returns whether all characters may occur in a path segment (RFC 3986, `*pchar`). */
export function isPchars(text: string): boolean {
  return PCHARS_FORM.test(text);
}
