/** Replaces Next's constants in the browser. Its router reads only this one, and all take 1.5 KB of every page. */
export const NEXT_NAV_DEPLOYMENT_ID_HEADER = 'x-nextjs-deployment-id';
