/** Replaces Next's polyfills of features that all supported browsers have. */
export {};
