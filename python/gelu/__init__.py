# SPDX-License-Identifier: Apache-2.0
"""The GELU family of activation functions: right on every input, with the same bits on every machine."""
