// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {ECDSA} from "@openzeppelin/contracts/utils/cryptography/ECDSA.sol";

/// @title A minimal smart-contract wallet. Its only owner signs for the wallet and makes calls from it.
/// @notice The sandbox uses it to sign in, mint and pay like a contract wallet (EIP-1271, ERC-6492).
/// @dev The owner signs the plain hash. The signature is valid for every SmartWallet of this owner, so the signed
/// content must name the wallet. Sign-in messages and payment authorizations do.
contract SmartWallet is IERC1271 {
    /// @notice The account that acts and signs for this wallet. It never changes.
    address public immutable owner;

    /// @notice Only the owner may act.
    error NotOwner(address caller);

    constructor(address owner_) {
        owner = owner_;
    }

    receive() external payable {}

    /// @notice Makes a call from this wallet. If the call reverts, reverts with the same data.
    /// @return answer the call's return data
    function execute(address target, uint256 value, bytes calldata data)
        external
        payable
        returns (bytes memory answer)
    {
        if (msg.sender != owner) revert NotOwner(msg.sender);
        bool done;
        (done, answer) = target.call{value: value}(data);
        if (!done) {
            assembly ("memory-safe") {
                revert(add(answer, 0x20), mload(answer))
            }
        }
    }

    /// @inheritdoc IERC1271
    function isValidSignature(bytes32 hash, bytes memory signature) external view returns (bytes4) {
        (address signer, ECDSA.RecoverError fault,) = ECDSA.tryRecover(hash, signature);
        bool approved = fault == ECDSA.RecoverError.NoError && signer == owner;
        return approved ? IERC1271.isValidSignature.selector : bytes4(0xffffffff);
    }
}
