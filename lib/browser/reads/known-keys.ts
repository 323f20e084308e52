export const CHAT_MODELS_KEY = ['chat-models'] as const;

export const STAKING_POOL_KEY = ['staking-pool'] as const;

/** Query key of the network list. Not in `networks.ts`, because that file loads the network table. */
export const NETWORKS_KEY = ['networks'] as const;
