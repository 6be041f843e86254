import "./app.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { client } from "./api";
import { signInByLink } from "./people/link";
import { RouterProvider } from "./router";
import { router } from "./routes";
import { kept, wear } from "./ui/theme";
import { speak } from "./words/language";

wear(kept());

function show() {
  const root = document.getElementById("root");
  if (root)
    createRoot(root).render(
      <StrictMode>
        <QueryClientProvider client={client}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </StrictMode>,
    );
}

void Promise.all([speak(), SHARED ? null : signInByLink()]).then(show);
