/** Of the list of networks in the cache. Apart from what reads the list, which has the table of all networks. */
export const NETWORKS_KEY = ['networks'] as const;
