'use client';

import { DEFAULT_PAGE_BRAND, type PageBrand } from '@/lib/protocol/brand';
import { createContext, useContext } from 'react';

const BrandContext = createContext<PageBrand>(DEFAULT_PAGE_BRAND);

export const BrandProvider = BrandContext.Provider;

/** Returns the gateway's brand, which the server renders into the page. */
export function useBrand(): PageBrand {
  return useContext(BrandContext);
}
