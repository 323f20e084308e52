/** The address of the RPC page with a call in it, written here: unlike `requestHref` it needs no reader of request texts. */
export function callHref(network: string, method: string, params: readonly unknown[] = []): string {
  return `/rpc?${new URLSearchParams({ network, method, params: JSON.stringify(params) }).toString()}`;
}

/** The address of the RPC page with a whole request text in it, of a few kilobytes at most. */
export function bodyHref(network: string, text: string): string {
  return `/rpc?${new URLSearchParams({ network, body: text }).toString()}`;
}
