/**
 * All that is known of JSON-RPC methods: which are offered at what tier, why the others are refused, examples of the
 * most used ones, and how calls of them are put into a request. Half as much as the rest of the RPC page, and so loaded by `use-method-book.ts` on first use.
 */
export { appendCall, toggleBatch } from '../request-edits';
export { quoteRequest } from '../request-quote';
export { isRefusal, lookUpMethod, METHODS } from '@/lib/protocol/rpc-methods';
export { exampleParams, METHOD_EXAMPLES } from '@/lib/protocol/rpc-methods/examples';
