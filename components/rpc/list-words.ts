export const rpcListWords = {
  tiers: { advanced: 'advanced ×2', large: 'large ×4' },

  network: {
    search: 'Search networks…',
    nothingFound: 'This gateway lists no network of that name.',
    groups: { sandbox: 'Sandbox', mainnets: 'Mainnets', testnets: 'Testnets', unconnected: 'No node here' },
    chain: (id: number) => `chain ${id}`,
    credits: (credits: number) => `${credits} credits`,
  },

  method: {
    search: 'Search methods, such as eth_call or logs…',
    searchSolana: 'Search methods, such as balance…',
    nothingFound: 'No such method is offered on this network.',
    mostUsed: 'Most used',
    credits: (credits: number) => `${credits} credits`,
    families: {
      eth: 'Ethereum',
      net: 'Node',
      web3: 'Node',
      erc4337: 'Account abstraction (ERC-4337)',
      trace: 'Traces',
      debug: 'Debug',
      txpool: 'Transaction pool',
      arbtrace: 'Arbitrum traces',
      zks: 'zkSync',
      linea: 'Linea',
      bor: 'Polygon',
      base: 'Base',
      solana: 'Solana',
      starknet: 'Starknet',
    } as Readonly<Record<string, string>>,
  },
} as const;
