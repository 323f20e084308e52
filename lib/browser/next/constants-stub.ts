/** Replaces Next's table of constants in the browser, which would add 1.5 KB to every page. Its router reads only this. */
export const NEXT_NAV_DEPLOYMENT_ID_HEADER = 'x-nextjs-deployment-id';
