/** The language of a debate, for the words that were said in it: a page in another language still reads them right. */
import { createContext, useContext } from "react";

export const Spoken = createContext<string | undefined>(undefined);

export const useSpoken = (): string | undefined => useContext(Spoken);
