/** Query key of the network list. Has its own file, because the code that reads the list loads the network table. */
export const NETWORKS_KEY = ['networks'] as const;
