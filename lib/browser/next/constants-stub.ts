/**
 * Replaces Next's constants in the browser with the only one that Next's router reads. All constants would add 1.5 KB
 * to every page.
 */
export const NEXT_NAV_DEPLOYMENT_ID_HEADER = 'x-nextjs-deployment-id';
